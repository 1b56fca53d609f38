import { z } from 'zod'
import { binding } from '#shared/settings/binding.ts'
import { DATABASE_URL, httpUrlSchema, RPC_URLS } from '#shared/settings/connectionSettings.ts'
import { ALLOW_PRIVATE_TARGETS, EMAIL_FROM, VAPID_PUBLIC_KEY } from '#shared/settings/notificationSettings.ts'
import { setting } from '#shared/settings/setting.ts'

/** A producer of a Cloudflare Queue. */
export type DeliveryQueue<Message> = { sendBatch: (messages: { body: Message }[]) => Promise<unknown> }

const baseUrl = httpUrlSchema.transform((url) => url.replace(/\/+$/, ''))
/** empty counts as missing */
const text = z.string()

/** The environment of the notifier. A channel without its settings is disabled. */
export const settingsSchema = z.object({
  DATABASE_URL,
  RPC_URLS,
  DELIVERIES: binding<DeliveryQueue<unknown>>(),
  PUBLIC_URL: setting(z.union([z.literal(''), baseUrl]), {
    description: 'base URL of this service, for links in messages',
    scope: 'shared',
    absent: '`https://<DOMAIN>`; without `DOMAIN` no e-mail, and links only to the explorer',
  }),
  VAPID_PUBLIC_KEY,
  VAPID_PRIVATE_KEY: setting(text, {
    description: 'web push: P-256 private key, base64url',
    scope: 'shared',
    secret: true,
    absent: 'no push messages',
  }),
  VAPID_SUBJECT: setting(text, {
    description: 'web push: contact for push services, `mailto:…`',
    scope: 'shared',
    absent: 'no push messages',
  }),
  TELEGRAM_BOT_TOKEN: setting(text, {
    description: 'token of the bot, from BotFather',
    scope: 'shared',
    secret: true,
    absent: 'no Telegram messages',
  }),
  TELEGRAM_URL: setting(baseUrl, {
    description: 'API of Telegram',
    scope: 'shared',
    default: 'https://api.telegram.org',
  }),
  EMAIL_API_KEY: setting(text, {
    description: 'key of the mail provider',
    scope: 'shared',
    secret: true,
    absent: 'no e-mail',
  }),
  EMAIL_FROM,
  EMAIL_URL: setting(baseUrl, {
    description: 'mail provider with the API of Resend',
    scope: 'shared',
    default: 'https://api.resend.com',
  }),
  DNS_URL: setting(baseUrl, {
    description: 'DNS resolver over HTTPS with JSON responses, for the hosts of webhooks',
    scope: 'shared',
    default: 'https://cloudflare-dns.com/dns-query',
  }),
  ALLOW_PRIVATE_TARGETS,
})

export type Settings = z.infer<typeof settingsSchema>
