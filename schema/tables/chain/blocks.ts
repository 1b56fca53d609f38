import { bigint, integer, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { hash } from '../columns.ts'

/** The newest indexed blocks of each chain: the highest is the cursor, the hashes show a reorganisation. */
export const blocks = pgTable(
  'blocks',
  {
    chainId: integer('chain_id').notNull(),
    number: bigint('number', { mode: 'number' }).notNull(),
    hash: hash('hash').notNull(),
    timestamp: timestamp('timestamp', { withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.number] })],
)
