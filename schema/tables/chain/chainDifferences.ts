import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Where the chain and the database differ now; a row is deleted when its difference is repaired. */
export const chainDifferences = pgTable(
  'chain_differences',
  {
    chainId: integer('chain_id').notNull(),
    /** `index`: a block that cannot be read; otherwise an order's UID */
    subject: text('subject').notNull(),
    description: text('description').notNull(),
    since: timestamp('since', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.subject] })],
)
