import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Outbox of messages to the operator, one row per message and channel. */
export const alerts = pgTable(
  'alerts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    chainId: integer('chain_id').notNull(),
    key: text('key').notNull(),
    kind: text('kind', { enum: ['raised', 'reminder', 'resolved'] }).notNull(),
    channel: text('channel', { enum: ['webhook', 'email'] }).notNull(),
    /** the figure at the time of the message; null when the alarm has ended */
    value: text('value'),
    crossedAt: timestamp('crossed_at', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** earliest time of the next attempt; during an attempt the end of its lease */
    nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    sentAt: timestamp('sent_at', { withTimezone: true }),
    /** reason of the last failure */
    failure: text('failure'),
  },
  (t) => [index('alerts_due').on(t.nextAttemptAt).where(sql`${t.sentAt} is null`)],
)
