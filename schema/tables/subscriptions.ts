import { index, integer, jsonb, pgTable, text, timestamp, unique, uuid } from 'drizzle-orm/pg-core'
import { address } from './columns.ts'
import { notificationChannel, notificationType } from './enums.ts'

/** The keys of a browser that gets pushes, base64url (RFC 8291). */
export type PushKeys = { p256dh: string; auth: string }

/** Where and of what an account wants to be told. */
export const subscriptions = pgTable(
  'subscriptions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    account: address('account').notNull(),
    /**
     * the chain on which the contract at `account` signed for it, 0 when the account's key did: the same address may be
     * somebody else's contract on another chain
     */
    signerChainId: integer('signer_chain_id').notNull(),
    channel: notificationChannel('channel').notNull(),
    /** URL, e-mail address, id of a Telegram chat, endpoint of a push service; null: a chat that is not linked yet */
    target: text('target'),
    pushKeys: jsonb('push_keys').$type<PushKeys>(),
    types: notificationType('types').array().notNull(),
    /** chain ids */
    networks: integer('networks').array().notNull(),
    /** what webhooks are signed with, `whsec_…` */
    secret: text('secret'),
    /** proves that the target is the account's; null: it is confirmed, or cannot be any more */
    confirmToken: text('confirm_token').unique('subscriptions_confirm_token'),
    /** null: nothing is delivered yet */
    confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
    /** ends it, whoever has it */
    unsubscribeToken: text('unsubscribe_token').notNull().unique('subscriptions_unsubscribe_token'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** deliveries that failed since the last that did not */
    failures: integer('failures').notNull().default(0),
    failingSince: timestamp('failing_since', { withTimezone: true }),
    lastDeliveredAt: timestamp('last_delivered_at', { withTimezone: true }),
    /** since when and why nothing is delivered: the target is dead */
    pausedAt: timestamp('paused_at', { withTimezone: true }),
    pauseReason: text('pause_reason'),
  },
  (t) => [
    unique('subscriptions_once').on(t.account, t.signerChainId, t.channel, t.target),
    index('subscriptions_delete_unconfirmed').on(t.createdAt),
  ],
)
