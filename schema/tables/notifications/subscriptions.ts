import { index, integer, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { address } from '../columns.ts'
import { notificationChannel, notificationType } from '../enums.ts'

/** Keys of a browser for pushes, base64url (RFC 8291). */
export type PushKeys = { p256dh: string; auth: string }

/** A notification target of an account, and what it receives. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    account: address('account').notNull(),
    /**
     * the chain whose contract at `account` signed for it, 0 for a key: the same address may be another contract on
     * another chain
     */
    signerChainId: integer('signer_chain_id').notNull(),
    channel: notificationChannel('channel').notNull(),
    /** URL, e-mail address, Telegram chat id, push endpoint; null: a chat that is not linked yet */
    target: text('target'),
    pushKeys: jsonb('push_keys').$type<PushKeys>(),
    types: notificationType('types').array().notNull(),
    /** chain ids */
    networks: integer('networks').array().notNull(),
    /** signing secret of a webhook, `whsec_…` */
    secret: text('secret'),
    /** confirmation token of the target; null: confirmed, or no longer possible */
    confirmToken: text('confirm_token').unique('subscriptions_confirm_token'),
    /** null: unconfirmed, nothing is delivered */
    confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
    /** unsubscribe token, valid for its holder */
    unsubscribeToken: text('unsubscribe_token').notNull().unique('subscriptions_unsubscribe_token'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** failed deliveries since the last success */
    failures: integer('failures').notNull().default(0),
    failingSince: timestamp('failing_since', { withTimezone: true }),
    lastDeliveredAt: timestamp('last_delivered_at', { withTimezone: true }),
    /** start and reason of a pause: the target is dead */
    pausedAt: timestamp('paused_at', { withTimezone: true }),
    pauseReason: text('pause_reason'),
  },
  (t) => [
    unique('subscriptions_once').on(t.account, t.signerChainId, t.channel, t.target),
    index('subscriptions_delete_unconfirmed').on(t.createdAt),
    index('subscriptions_of_target').on(t.target, t.channel),
  ],
)
