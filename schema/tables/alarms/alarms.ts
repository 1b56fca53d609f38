import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** The limits that are crossed now; a row is deleted when its alarm ends. */
export const alarms = pgTable(
  'alarms',
  {
    chainId: integer('chain_id').notNull(),
    /** rule, and the solver concerned: unique in a network */
    key: text('key').notNull(),
    crossedAt: timestamp('crossed_at', { withTimezone: true }).notNull(),
    /** number of alerts, reminders included; 0 until the duration of the rule has passed */
    alerts: integer('alerts').notNull(),
    /** of the newest alert */
    alertedAt: timestamp('alerted_at', { withTimezone: true }),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.key] })],
)
