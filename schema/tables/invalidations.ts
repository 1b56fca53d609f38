import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, hash, orderUid } from './columns.ts'

/**
 * The order was cancelled on-chain, for good: an `OrderInvalidated` event of its owner, or an `OrderInvalidation` of the
 * contract that placed it.
 */
export const invalidations = pgTable(
  'invalidations',
  {
    chainId: integer('chain_id').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    logIndex: integer('log_index').notNull(),
    /** null: it was indexed before this was kept */
    transactionHash: hash('transaction_hash'),
    /** who did it */
    owner: address('owner').notNull(),
    orderUid: orderUid('order_uid').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('invalidations_of_order').on(t.chainId, t.orderUid),
  ],
)
