import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { hash, orderUid } from '../columns.ts'

/** One `OrderRefund` event: the placing contract refunded the unsold rest after expiry. */
export const orderRefunds = pgTable(
  'order_refunds',
  {
    chainId: integer('chain_id').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    logIndex: integer('log_index').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    transactionHash: hash('transaction_hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('order_refunds_of_order').on(t.chainId, t.orderUid),
  ],
)
