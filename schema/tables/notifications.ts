import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { NotificationFacts } from '#shared/notifications/notificationFacts.ts'
import { address, orderUid } from './columns.ts'
import { notificationType } from './enums.ts'

/**
 * What accounts are told of their orders, each written by the statement that logs the event it follows from. Rows are the
 * outbox too: one with a revision that is not dispatched waits for its deliveries.
 */
export const notifications = pgTable(
  'notifications',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integer('chain_id').notNull(),
    /** who trades: the owner, or the user for whom a contract placed the order */
    account: address('account').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    type: notificationType('type').notNull(),
    /** names what happened, the same however often and in whatever block the chain tells of it */
    key: text('key').notNull(),
    /** row of the order's log */
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    /** the block that a reorganisation would have to undo it with */
    blockNumber: bigint('block_number', { mode: 'number' }),
    facts: jsonb('facts').$type<NotificationFacts>().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** a reorganisation undid it; null again when the chain tells of it once more */
    retractedAt: timestamp('retracted_at', { withTimezone: true }),
    /** counts how often it became true or untrue */
    revision: integer('revision').notNull().default(1),
    /** the newest revision whose deliveries are written */
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
