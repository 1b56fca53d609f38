import { z } from 'zod'
import type { SlotsNamespace } from '#shared/streams/openCountedStream.ts'
import { databaseUrlSchema } from '#shared/validation/databaseUrl.ts'
import { networkUrlsSchema } from '#shared/validation/networkUrls.ts'
import { switchSchema } from '#shared/validation/switch.ts'
import { maxTokens } from './balanceParams.ts'
import { maxPollMs } from './computePollMs.ts'
import type { Notifier } from './subscriptions/askNotifier.ts'

/** The namespace of the Durable Object `BalanceWatch`. */
type Watches = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

const count = z.coerce.number().int().positive()
const optionalTextSchema = z.string().optional()
const binding = <T>() => z.custom<T>((value) => value !== undefined, 'no binding')

/** What the accounts Worker needs of its environment. */
export const settingsSchema = z.object({
  RPC_URLS: networkUrlsSchema,
  /** whether there are notifications; without one of these three there are only balances */
  CMS_ENABLED: switchSchema.default(false),
  /** any text; nobody has to send it */
  CMS_API_KEY: z.string().default(''),
  DATABASE_URL: z.union([databaseUrlSchema, z.literal('')]).default(''),
  /** the domain of messages about subscriptions is `<name> notifications` */
  SERVICE_NAME: z.string().min(1).default('edgebook'),
  /** sends what subscribers are told; without it there are no subscriptions */
  NOTIFIER: z.custom<Notifier>().optional(),
  /** takes webhooks on this machine and in its network: never true but on a machine of one's own */
  ALLOW_PRIVATE_TARGETS: switchSchema.default(false),
  /** whom mails come from; without it there is no e-mail */
  EMAIL_FROM: optionalTextSchema,
  /** of the bot, without @; without it and its secret there is no Telegram */
  TELEGRAM_BOT_NAME: optionalTextSchema,
  /** what Telegram sends with each update: `secret_token` of setWebhook */
  TELEGRAM_WEBHOOK_SECRET: z
    .union([z.literal(''), z.string().regex(/^[\w-]{16,256}$/, '16 to 256 of A-Z a-z 0-9 _ -')])
    .optional(),
  /** of the key that pushes are signed with, base64url; without it there are none */
  VAPID_PUBLIC_KEY: optionalTextSchema,
  WATCHES: binding<Watches>(),
  SLOTS: binding<SlotsNamespace>(),
  /** streams of balances that one client may have open at once, */
  STREAMS_PER_CLIENT: count.default(50),
  /** that one watch of an account may have, before clients get watches of their own, */
  STREAMS_PER_ACCOUNT: count.default(2_000),
  /** and different tokens in all streams of one watch */
  TOKENS_PER_ACCOUNT: count.min(maxTokens).default(500),
  /** after which a stream ends, and its client connects again */
  STREAM_LIFETIME_MS: count.default(1_800_000),
  /** how often a watch looks for a new block; by the network's block time when not given */
  BALANCES_POLL_MS: count.min(100).max(maxPollMs).optional(),
})

export type Settings = z.infer<typeof settingsSchema>
