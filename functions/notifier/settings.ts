import { z } from 'zod'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'

/** A producer of a Cloudflare Queue. */
export type DeliveryQueue<Message> = { sendBatch: (messages: { body: Message }[]) => Promise<unknown> }

const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
/** empty counts as missing */
const optional = z.string().optional()

/** The environment of the notifier. A channel without its settings is off. */
export const settingsSchema = z.object({
  DATABASE_URL: databaseUrlSchema,
  /** nodes of the networks, for symbols and decimals of traded tokens */
  RPC_URLS: networkUrlsSchema,
  DELIVERIES: z.custom<DeliveryQueue<unknown>>((binding) => binding !== undefined, 'no binding'),
  /** public base URL of this service, for links in messages */
  PUBLIC_URL: z.union([z.literal(''), httpUrl]).optional(),
  /** web push: a P-256 key pair, base64url, and a contact for push services (`mailto:…`) */
  VAPID_PUBLIC_KEY: optional,
  /** a secret */
  VAPID_PRIVATE_KEY: optional,
  VAPID_SUBJECT: optional,
  /** a secret */
  TELEGRAM_BOT_TOKEN: optional,
  TELEGRAM_URL: httpUrl.default('https://api.telegram.org'),
  /** a secret */
  EMAIL_API_KEY: optional,
  /** `edgebook <notifications@example.com>` */
  EMAIL_FROM: optional,
  /** mail provider with the API of Resend */
  EMAIL_URL: httpUrl.default('https://api.resend.com'),
  /** DNS resolver over HTTPS with JSON responses */
  DNS_URL: httpUrl.default('https://cloudflare-dns.com/dns-query'),
  /** allows any target of webhooks and pushes: for local stacks only */
  ALLOW_PRIVATE_TARGETS: switchSchema.default(false),
})

export type Settings = z.infer<typeof settingsSchema>

/** Describes malformed settings, one line each. */
export const describeFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
