import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { hash, logPlace, orderUid } from '../columns.ts'

/** One `OrderRefund` event: the placing contract refunded the unsold rest after expiry. */
export const orderRefunds = pgTable(
  'order_refunds',
  {
    ...logPlace(),
    orderUid: orderUid('order_uid').notNull(),
    transactionHash: hash('transaction_hash').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('order_refunds_of_order').on(t.chainId, t.orderUid),
  ],
)
