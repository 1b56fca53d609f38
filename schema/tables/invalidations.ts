import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, orderUid } from './columns.ts'

/** One `OrderInvalidated` event: the owner cancelled the order on-chain, for good. */
export const invalidations = pgTable(
  'invalidations',
  {
    chainId: integer('chain_id').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    logIndex: integer('log_index').notNull(),
    owner: address('owner').notNull(),
    orderUid: orderUid('order_uid').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('invalidations_of_order').on(t.chainId, t.orderUid),
  ],
)
