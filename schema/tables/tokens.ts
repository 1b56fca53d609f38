import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { address } from './columns.ts'

/** What tokens say of themselves, kept when somebody needed it first: it does not change. */
export const tokens = pgTable(
  'tokens',
  {
    chainId: integer('chain_id').notNull(),
    address: address('address').notNull(),
    /** atoms of one whole token are 10^decimals */
    decimals: integer('decimals').notNull(),
    symbol: text('symbol'),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.address] })],
)
