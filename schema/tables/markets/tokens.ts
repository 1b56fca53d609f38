import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { address } from '../columns.ts'

/** Immutable facts read from token contracts, stored at first use. */
export const tokens = pgTable(
  'tokens',
  {
    chainId: integer('chain_id').notNull(),
    address: address('address').notNull(),
    /** one whole token is 10^decimals atoms */
    decimals: integer('decimals').notNull(),
    symbol: text('symbol'),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.address] })],
)
