import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, wholeNumber } from '../columns.ts'

/**
 * Surplus of an account's trades up to a block that reorganisations no longer reach, so that its total is this sum and
 * a few newer trades. An account without a row has its sum computed from all of its trades.
 */
export const accountSurplus = pgTable(
  'account_surplus',
  {
    chainId: integer('chain_id').notNull(),
    /** owner of the orders, or the user of orders that a contract placed */
    account: address('account').notNull(),
    /** block of the newest trade in the sum */
    throughBlock: bigint('through_block', { mode: 'number' }).notNull(),
    /** Σ surplus · auction price, 10^-18 wei, exact */
    total: wholeNumber('total').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.account] }),
    index('account_surplus_delete_from_block').on(t.chainId, t.throughBlock),
  ],
)
