import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { NotificationFacts } from '#shared/notifications/notificationFacts.ts'
import { address, orderUid } from '../columns.ts'
import { notificationType } from '../enums.ts'

/**
 * Notifications of accounts about their orders, written by the statement that logs the event. Rows are also the outbox:
 * a revision that is not dispatched waits for its deliveries.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integer('chain_id').notNull(),
    /** the trader: the owner, or the user of an on-chain placement */
    account: address('account').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    type: notificationType('type').notNull(),
    /** identifies the event, independent of its block and of repetitions */
    key: text('key').notNull(),
    /** id of the order event */
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    /** block whose reorganisation retracts it */
    blockNumber: bigint('block_number', { mode: 'number' }),
    facts: jsonb('facts').$type<NotificationFacts>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** retracted by a reorganisation, or a cancellation by a fill; null again when the event returns */
    retractedAt: timestamp('retracted_at', { withTimezone: true }),
    /** number of changes between valid and retracted */
    revision: integer('revision').notNull().default(1),
    /** newest revision with written deliveries */
    dispatchedRevision: integer('dispatched_revision').notNull().default(0),
  },
  (t) => [
    uniqueIndex('notifications_once').on(t.chainId, t.orderUid, t.type, t.key),
    index('notifications_select_account').on(t.account, t.id.desc()),
    index('notifications_select_filtered')
      .on(t.account, t.chainId, t.type, t.id.desc())
      .where(sql`${t.retractedAt} is null`),
    index('notifications_of_event').on(t.eventId),
    index('notifications_retract').on(t.chainId, t.blockNumber),
    index('notifications_outbox').on(t.id).where(sql`${t.dispatchedRevision} < ${t.revision}`),
  ],
)
