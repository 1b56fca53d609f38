import { bigint, index, integer, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address, orderUid } from './columns.ts'
import { placementError } from './enums.ts'

/** One `OrderPlacement` event: a contract placed an order on-chain. The first of an order counts. */
export const orderPlacements = pgTable(
  'order_placements',
  {
    chainId: integer('chain_id').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    logIndex: integer('log_index').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    contract: address('contract').notNull(),
    /** whom the contract did it for */
    sender: address('sender').notNull(),
    /** last valid second for the sender, Unix; null: the signed one */
    userValidTo: bigint('user_valid_to', { mode: 'number' }),
    error: placementError('error'),
    /** of its block */
    placedAt: timestamp('placed_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('order_placements_of_order').on(t.chainId, t.orderUid, t.blockNumber, t.logIndex),
  ],
)
