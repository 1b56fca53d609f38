import { bigint, index, pgTable, primaryKey, timestamp } from 'drizzle-orm/pg-core'
import { address, logPlace, orderUid } from '../columns.ts'
import { placementError } from '../enums.ts'

/** One `OrderPlacement` event: a contract placed an order on-chain. An order's first placement counts. */
export const orderPlacements = pgTable(
  'order_placements',
  {
    ...logPlace(),
    orderUid: orderUid('order_uid').notNull(),
    contract: address('contract').notNull(),
    /** the account for which the contract placed it */
    sender: address('sender').notNull(),
    /** last valid second for the user, Unix; null: that of the signed order */
    userValidTo: bigint('user_valid_to', { mode: 'number' }),
    error: placementError('error'),
    /** time of its block */
    placedAt: timestamp('placed_at', { withTimezone: true }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('order_placements_of_order').on(t.chainId, t.orderUid, t.blockNumber, t.logIndex),
  ],
)
