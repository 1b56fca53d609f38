import { z } from 'zod'
import { type NetworkName, networkNames, networks } from '#shared/networks.ts'
import { binding } from '#shared/settings/binding.ts'
import { DATABASE_URL, DATABASE_URLS, httpUrlSchema, RPC_URLS } from '#shared/settings/connectionSettings.ts'
import { ALLOW_PRIVATE_TARGETS, EMAIL_FROM, VAPID_PUBLIC_KEY } from '#shared/settings/notificationSettings.ts'
import type { ServiceBinding } from '#shared/settings/serviceBinding.ts'
import { setting } from '#shared/settings/setting.ts'
import { mailAddressSchema } from '#shared/validation/mailAddress.ts'

/** A producer of a Cloudflare Queue. */
export type DeliveryQueue<Message> = { sendBatch: (messages: { body: Message }[]) => Promise<unknown> }

const baseUrl = httpUrlSchema.transform((url) => url.replace(/\/+$/, ''))
/** empty counts as missing */
const text = z.string()

/** The environment of the notifier, besides a service binding `STATUS_<NETWORK>` per network. A channel without its settings is disabled. */
const environmentSchema = z.looseObject({
  DATABASE_URL,
  DATABASE_URLS,
  RPC_URLS,
  DELIVERIES: binding<DeliveryQueue<unknown>>(),
  PUBLIC_URL: setting(z.union([z.literal(''), baseUrl], 'an http or https URL'), {
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
  NOTIFICATION_RETENTION_DAYS: setting(z.coerce.number().int().min(31), {
    description: 'notifications leave the database and the lists of accounts after this time',
    scope: 'shared',
    unit: 'days',
    absent: 'notifications are never deleted',
  }),
  ALERT_WEBHOOK_URL: setting(z.union([z.literal(''), httpUrlSchema]), {
    description:
      'URL of the operator that receives alarms (docs/operations.md), signed like the webhooks of subscribers',
    scope: 'shared',
    secret: true,
    absent: 'no alerts by webhook',
  }),
  ALERT_WEBHOOK_SECRET: setting(
    z.union([
      z.literal(''),
      z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'whsec_ and at least 24 bytes in base64'),
    ]),
    {
      description: 'signs alerts: `whsec_` and 24 to 64 bytes in base64, of `openssl rand -base64 32`',
      scope: 'shared',
      secret: true,
      absent: 'no alerts by webhook',
    },
  ),
  ALERT_EMAIL: setting(z.union([z.literal(''), mailAddressSchema], 'an e-mail address'), {
    description: 'e-mail address of the operator that receives alarms; needs `EMAIL_API_KEY` and `EMAIL_FROM`',
    scope: 'shared',
    absent: 'no alerts by e-mail',
  }),
})

export const settingsSchema = environmentSchema
  .refine((env) => !env.ALERT_WEBHOOK_URL === !env.ALERT_WEBHOOK_SECRET, {
    path: ['ALERT_WEBHOOK_SECRET'],
    message: 'ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET need each other',
  })
  .refine((env) => !env.ALERT_EMAIL || (env.EMAIL_API_KEY && env.EMAIL_FROM), {
    path: ['ALERT_EMAIL'],
    message: 'an address for alarms needs EMAIL_API_KEY and EMAIL_FROM',
  })
  .transform((env) => ({ ...env, statuses: connectStatuses(env) }))

export type Settings = z.infer<typeof settingsSchema>

const connectStatuses = (env: Record<string, unknown>) =>
  networkNames.flatMap((name: NetworkName) => {
    const status = env[`STATUS_${name.toUpperCase()}`] as ServiceBinding | undefined
    return status ? [{ network: networks[name], status }] : []
  })
