import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, hash, logPlace, orderUid } from '../columns.ts'

/**
 * Final on-chain cancellation: an `OrderInvalidated` event of the owner, or an `OrderInvalidation` of the contract that
 * placed the order.
 */
export const invalidations = pgTable(
  'invalidations',
  {
    ...logPlace(),
    transactionHash: hash('transaction_hash').notNull(),
    /** the owner, or the contract that placed the order */
    owner: address('owner').notNull(),
    orderUid: orderUid('order_uid').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('invalidations_of_order').on(t.chainId, t.orderUid),
  ],
)
