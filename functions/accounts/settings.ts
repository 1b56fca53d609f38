import { z } from 'zod'
import { binding } from '#shared/settings/binding.ts'
import { DATABASE_URLS, optionalDatabaseUrl, RPC_URLS } from '#shared/settings/connectionSettings.ts'
import {
  ALLOW_PRIVATE_TARGETS,
  CMS_ENABLED,
  EMAIL_FROM,
  VAPID_PUBLIC_KEY,
} from '#shared/settings/notificationSettings.ts'
import { setting } from '#shared/settings/setting.ts'
import { maxPollMs } from '#shared/streams/computePollMs.ts'
import type { SlotsNamespace } from '#shared/streams/openCountedStream.ts'
import { maxTokens } from './balances/balanceParams.ts'
import type { Notifier } from './subscriptions/notifierClient.ts'

/** The namespace of the Durable Object `BalanceWatch`. */
type Watches = { getByName: (name: string) => { fetch: (request: Request) => Promise<Response> } }

const count = z.coerce.number().int().positive()
const telegramSecret = z.string().regex(/^[\w-]{16,256}$/, '16 to 256 of A-Z a-z 0-9 _ -')

/** The environment of the accounts Worker. Without `CMS_ENABLED`, `CMS_API_KEY` and `DATABASE_URL` there are only balances. */
export const settingsSchema = z.object({
  RPC_URLS,
  CMS_ENABLED,
  CMS_API_KEY: setting(z.string(), {
    description: 'any text enables notifications; clients never send it',
    scope: 'shared',
    secret: true,
    default: '',
    absent: 'no notifications',
  }),
  DATABASE_URL: optionalDatabaseUrl,
  DATABASE_URLS,
  SERVICE_NAME: setting(z.string().min(1), {
    description: 'name in the signing domain of subscription messages, `<name> notifications`, and on pages',
    scope: 'shared',
    default: 'edgebook',
  }),
  /** delivers notifications; without it there are no subscriptions */
  NOTIFIER: z.custom<Notifier>().optional(),
  ALLOW_PRIVATE_TARGETS,
  EMAIL_FROM,
  TELEGRAM_BOT_NAME: setting(z.string(), {
    description: 'name of the bot, without @',
    scope: 'shared',
    absent: 'no Telegram messages',
  }),
  TELEGRAM_WEBHOOK_SECRET: setting(z.union([z.literal(''), telegramSecret]), {
    description: 'sent by Telegram with each update: `secret_token` of `setWebhook`, 32 random characters',
    scope: 'shared',
    secret: true,
    absent: 'no Telegram messages',
  }),
  VAPID_PUBLIC_KEY,
  WATCHES: binding<Watches>(),
  SLOTS: binding<SlotsNamespace>(),
  STREAMS_PER_CLIENT: setting(count, {
    description: 'concurrent balance streams of one client',
    scope: 'shared',
    default: '50',
  }),
  STREAMS_PER_ACCOUNT: setting(count, {
    description: 'concurrent streams of one watch, before clients get watches of their own',
    scope: 'shared',
    default: '2000',
  }),
  TOKENS_PER_ACCOUNT: setting(count.min(maxTokens), {
    description: `different tokens in all streams of one watch, at least ${maxTokens}`,
    scope: 'shared',
    default: '500',
  }),
  STREAM_LIFETIME_MS: setting(count, {
    description: 'lifetime of a balance stream; clients reconnect after it',
    scope: 'shared',
    unit: 'ms',
    default: '1800000',
  }),
  BALANCES_POLL_MS: setting(count.min(100).max(maxPollMs), {
    description: `time between two checks for a new block, 100 to ${maxPollMs}`,
    scope: 'shared',
    unit: 'ms',
    absent: "follows from the network's block time",
  }),
})

export type Settings = z.infer<typeof settingsSchema>
