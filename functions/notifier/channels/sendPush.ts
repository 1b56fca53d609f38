import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push'
import type { Message, Send } from './channel.ts'
import { openTarget, type TargetSettings } from './openTarget.ts'
import { postBounded } from './postBounded.ts'
import { toFailure } from './sendWebhook.ts'
import { toProviderOutcome } from './toProviderOutcome.ts'

export type PushSettings = TargetSettings & {
  /** base64url */
  vapid: { publicKey: string; privateKey: string; subject: string }
}

/** as long as a delivery is attempted; older news is no news */
const ttlSeconds = 24 * 60 * 60
const gone = [404, 410]
/** characters: with the rest of the payload three KiB at most, of the four that push services take */
const maxText = 500

/** Pushes a message to a browser, encrypted for it (RFC 8291), from us (RFC 8292). */
export const sendPush =
  ({ vapid, ...settings }: PushSettings): Send =>
  async ({ address, pushKeys }, message) => {
    const url = await openTarget(address, settings).catch(toFailure)
    if ('failure' in url) return toProviderOutcome(url)
    if (!pushKeys) return { outcome: 'gone', reason: 'the browser gave no keys' }
    const encrypted = await encrypt(url, pushKeys, message)
    if (!encrypted) return { outcome: 'gone', reason: 'the keys of the browser are no keys' }
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
          // replaces what is still on its way: a correction takes the place of what it takes back
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

/** A machine of one's own has push services without https; the library insists on it. */
const toSubscription = (url: URL, keys: PushKeys) => ({
  endpoint: url.href.replace(/^http:/, 'https:'),
  expirationTime: null,
  keys,
})
