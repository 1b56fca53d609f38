import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { deliveryState } from '../enums.ts'
import { notifications } from './notifications.ts'
import { subscriptions } from './subscriptions.ts'

/** Delivery of one revision of a notification to one subscription. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    notificationId: bigint('notification_id', { mode: 'number' })
      .notNull()
      .references(() => notifications.id, { onDelete: 'cascade' }),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    revision: integer('revision').notNull(),
    /** retracts an earlier delivery */
    isCorrection: boolean('is_correction').notNull(),
    state: deliveryState('state').notNull().default('pending'),
    attempts: integer('attempts').notNull().default(0),
    /** start of the attempts; a replay starts again */
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** earliest time of the next attempt; during an attempt the end of its lease */
    nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }).notNull().defaultNow(),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
    /** reason of the last failure */
    failure: text('failure'),
  },
  (t) => [
    uniqueIndex('deliveries_once').on(t.subscriptionId, t.notificationId, t.revision),
    index('deliveries_of_notification').on(t.notificationId),
    index('deliveries_replay').on(t.subscriptionId, t.id).where(sql`${t.state} = 'dead'`),
    index('deliveries_delete_old').on(t.createdAt).where(sql`${t.state} <> 'pending'`),
    index('deliveries_select_due').on(t.nextAttemptAt).where(sql`${t.state} = 'pending'`),
  ],
)
