import type { Subscription } from '#schema/queries/notifications/subscriptions.ts'
import { ApiError } from '#shared/http/errors.ts'
import { checkTarget, TargetError, type TargetRules } from '#shared/notifications/checkTarget.ts'
import { mailAddressSchema } from '#shared/validation/mailAddress.ts'
import { isPushService } from './isPushService.ts'
import type { SubscriptionRequest } from './subscriptionRequest.ts'

/** Target of a subscription; `signed` is the text in the signed message, `target` its canonical form. */
export type SubscriptionTarget = Pick<Subscription, 'target' | 'pushKeys'> & { signed: string }

const pointBytes = 65
const secretBytes = 16

/**
 * Validates the target of a new subscription, without network requests.
 * @throws ApiError `InvalidParameter` naming the field
 */
export const readSubscriptionTarget = async (
  request: SubscriptionRequest,
  rules: TargetRules,
): Promise<SubscriptionTarget> => {
  switch (request.channel) {
    case 'webhook':
      return { signed: request.target, target: readUrl('target', request.target, rules), pushKeys: null }
    case 'email':
      return { signed: request.target, target: readAddress(request.target), pushKeys: null }
    case 'telegram':
      return { signed: request.target, target: request.target || null, pushKeys: null }
    case 'push': {
      const { endpoint, keys } = request.target
      const target = readEndpoint(endpoint, rules)
      const p256dh = await readPoint(keys.p256dh)
      const auth = readBytes('target.keys.auth', keys.auth, secretBytes)
      return { signed: endpoint, target, pushKeys: { p256dh, auth: toBase64Url(auth) } }
    }
  }
}

const readUrl = (field: string, text: string, rules: TargetRules): string => {
  try {
    return checkTarget(text, rules).href
  } catch (error) {
    if (error instanceof TargetError) throw refuse(field, error.message)
    throw error
  }
}

const readEndpoint = (text: string, rules: TargetRules): string => {
  const endpoint = readUrl('target.endpoint', text, rules)
  if (rules.allowPrivate || isPushService(new URL(endpoint).hostname)) return endpoint
  throw refuse('target.endpoint', 'of the push service of Chrome, Edge, Firefox or Safari')
}

const readAddress = (text: string): string => {
  const { data: address } = mailAddressSchema.safeParse(text)
  if (address === undefined) throw refuse('target', 'an e-mail address')
  return address
}

const readPoint = async (text: string): Promise<string> => {
  const field = 'target.keys.p256dh'
  const bytes = readBytes(field, text, pointBytes)
  try {
    await crypto.subtle.importKey('raw', bytes, { name: 'ECDH', namedCurve: 'P-256' }, false, [])
  } catch {
    throw refuse(field, 'a point on P-256')
  }
  return toBase64Url(bytes)
}

const readBytes = (field: string, text: string, length: number): Uint8Array<ArrayBuffer> => {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64url'))
  if (!/^[\w-]+={0,2}$/.test(text) || bytes.length !== length) throw refuse(field, `${length} bytes as base64url`)
  return bytes
}

const toBase64Url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

/** Omits the received value, which may be an address or a key. */
const refuse = (field: string, expected: string) =>
  new ApiError('InvalidParameter', { description: `${field}: ${expected}`, data: { field, expected } })
