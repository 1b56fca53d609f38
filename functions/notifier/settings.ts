import { z } from 'zod'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'

/** A producer of a Cloudflare Queue. */
export type DeliveryQueue<Message> = { sendBatch: (messages: { body: Message }[]) => Promise<unknown> }

const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''))
/** empty counts as missing */
const optional = z.string().optional()

/** What the notifier needs of its environment. A channel without its settings is off. */
export const settingsSchema = z.object({
  DATABASE_URL: databaseUrlSchema,
  /** nodes of the networks, which are asked for the symbols and decimals of traded tokens */
  RPC_URLS: networkUrlsSchema,
  DELIVERIES: z.custom<DeliveryQueue<unknown>>((binding) => binding !== undefined, 'no binding'),
  /** where accounts reach this service: links in messages begin with it */
  PUBLIC_URL: z.union([z.literal(''), httpUrl]).optional(),
  /** web push: a P-256 key pair, base64url, and whom a push service may write to (`mailto:…`) */
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
  /** speaks the API of Resend */
  EMAIL_URL: httpUrl.default('https://api.resend.com'),
  /** resolves names over HTTPS, and answers in JSON */
  DNS_URL: httpUrl.default('https://cloudflare-dns.com/dns-query'),
  /** sends webhooks and pushes to anywhere: for a machine of one's own only */
  ALLOW_PRIVATE_TARGETS: switchSchema.default(false),
})

export type Settings = z.infer<typeof settingsSchema>

/** What is wrong with the environment, a line for each setting. */
export const describeFaults = ({ issues }: z.ZodError): string[] =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
