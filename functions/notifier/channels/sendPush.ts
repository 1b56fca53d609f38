import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push'
import type { Message, Send } from './channel.ts'
import { openTarget, type TargetSettings } from './openTarget.ts'
import { postBounded } from './postBounded.ts'
import { toTargetFailure } from './sendWebhook.ts'
import { toProviderOutcome } from './toProviderOutcome.ts'

export type PushSettings = TargetSettings & {
  /** base64url */
  vapid: { publicKey: string; privateKey: string; subject: string }
}

/** as long as deliveries are attempted */
const ttlSeconds = 24 * 60 * 60
const gone = [404, 410]
/** characters; the payload stays below three KiB, while push services accept four */
const maxText = 500

/** Sends an encrypted (RFC 8291) push message to a browser, authenticated by VAPID (RFC 8292). */
export const sendPush =
  ({ vapid, ...settings }: PushSettings): Send =>
  async ({ address, pushKeys }, message) => {
    const url = await openTarget(address, settings).catch(toTargetFailure)
    if ('failure' in url) return toProviderOutcome(url)
    if (!pushKeys) return { outcome: 'gone', reason: 'the subscription has no keys' }
    const encrypted = await encrypt(url, pushKeys, message)
    if (!encrypted) return { outcome: 'gone', reason: 'the keys of the subscription are invalid' }
    const { headers } = await vapidHeaders(toSubscription(url, pushKeys), vapid)
    return toProviderOutcome(
      await postBounded({
        url,
        headers: {
          ...headers,
          'Content-Encoding': 'aes128gcm',
          'Content-Type': 'application/octet-stream',
          TTL: String(ttlSeconds),
          Urgency: 'normal',
          // replaces an undelivered message with the same tag: a retraction replaces its notification
          Topic: message.tag.slice(0, 32),
        },
        body: encrypted,
      }),
      gone,
    )
  }

type PushKeys = { p256dh: string; auth: string }

const encrypt = async (
  url: URL,
  keys: PushKeys,
  { id, type, tag, title, text, link }: Message,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const body = text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
  const payload = JSON.stringify({ title, body, url: link?.url ?? null, tag, type, id })
  return encryptNotification(toSubscription(url, keys), new TextEncoder().encode(payload)).catch(() => undefined)
}

/** Local stacks have push services without https, which the library requires. */
const toSubscription = (url: URL, keys: PushKeys) => ({
  endpoint: url.href.replace(/^http:/, 'https:'),
  expirationTime: null,
  keys,
})
