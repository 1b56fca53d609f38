import { Webhook } from 'standardwebhooks'
import { TargetError } from '#shared/notifications/checkTarget.ts'
import type { DeliveryTarget, Message, Send, SendContext } from './channel.ts'
import { openTarget, type TargetSettings } from './openTarget.ts'
import { type BoundedResponse, postBounded } from './postBounded.ts'
import { toOutcome } from './toOutcome.ts'

const gone = [410]

/** Posts a message to a URL of the account, signed by Standard Webhooks. */
export const sendWebhook =
  (settings: TargetSettings): Send =>
  async (target, message, context) =>
    toOutcome(await postWebhook(settings, target, message, context), gone)

/**
 * Posts `{ type, timestamp, data }` with the headers `webhook-id`, `webhook-timestamp`, `webhook-signature` and `webhook-attempt`.
 * @param maxBytes maximum bytes of the response that are read
 */
export const postWebhook = async (
  settings: TargetSettings,
  { address, secret }: DeliveryTarget,
  { id, type, timestamp, data }: Message,
  { attempt, now }: SendContext,
  maxBytes = 0,
): Promise<BoundedResponse | { failure: string }> => {
  const url = await openTarget(address, settings).catch(toTargetFailure)
  if ('failure' in url) return url
  if (!secret) return { failure: 'the subscription has no secret to sign with' }
  const body = JSON.stringify({ type, timestamp, data })
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'edgebook-notifier',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, now, body),
    'webhook-attempt': String(attempt),
  }
  return postBounded({ url, headers, body, maxBytes })
}

export const toTargetFailure = (error: unknown): { failure: string } => {
  if (error instanceof TargetError) return { failure: `target rejected: ${error.message}` }
  throw error
}
