import { z } from 'zod'
import type { SlotsNamespace } from '#shared/streams/openCountedStream.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'
import { maxTokens } from './balances/balanceParams.ts'
import { maxPollMs } from './balances/computePollMs.ts'
import type { Notifier } from './subscriptions/askNotifier.ts'

/** The namespace of the Durable Object `BalanceWatch`. */
type Watches = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

const count = z.coerce.number().int().positive()
const optionalTextSchema = z.string().optional()
const binding = <T>() => z.custom<T>((value) => value !== undefined, 'no binding')

/** The environment of the accounts Worker. */
export const settingsSchema = z.object({
  RPC_URLS: networkUrlsSchema,
  /** enables notifications; without any of these three settings there are only balances */
  CMS_ENABLED: switchSchema.default(false),
  /** any text; clients never send it */
  CMS_API_KEY: z.string().default(''),
  DATABASE_URL: z.union([databaseUrlSchema, z.literal('')]).default(''),
  /** signing domain of subscription messages: `<name> notifications` */
  SERVICE_NAME: z.string().min(1).default('edgebook'),
  /** delivers notifications; without it there are no subscriptions */
  NOTIFIER: z.custom<Notifier>().optional(),
  /** accepts webhooks on this machine and in its network: for local stacks only */
  ALLOW_PRIVATE_TARGETS: switchSchema.default(false),
  /** sender of e-mails; without it there is no e-mail channel */
  EMAIL_FROM: optionalTextSchema,
  /** name of the bot, without @; without it and its secret there is no Telegram channel */
  TELEGRAM_BOT_NAME: optionalTextSchema,
  /** sent by Telegram with each update: `secret_token` of setWebhook */
  TELEGRAM_WEBHOOK_SECRET: z
    .union([z.literal(''), z.string().regex(/^[\w-]{16,256}$/, '16 to 256 of A-Z a-z 0-9 _ -')])
    .optional(),
  /** public key of push messages, base64url; without it there is no push channel */
  VAPID_PUBLIC_KEY: optionalTextSchema,
  WATCHES: binding<Watches>(),
  SLOTS: binding<SlotsNamespace>(),
  /** concurrent balance streams of one client */
  STREAMS_PER_CLIENT: count.default(50),
  /** concurrent streams of one watch, before clients get watches of their own */
  STREAMS_PER_ACCOUNT: count.default(2_000),
  /** different tokens in all streams of one watch */
  TOKENS_PER_ACCOUNT: count.min(maxTokens).default(500),
  /** lifetime of a stream; clients reconnect after it */
  STREAM_LIFETIME_MS: count.default(1_800_000),
  /** interval at which a watch polls for a new block; default: by the network's block time */
  BALANCES_POLL_MS: count.min(100).max(maxPollMs).optional(),
})

export type Settings = z.infer<typeof settingsSchema>
