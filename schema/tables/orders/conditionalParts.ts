import { bigint, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, hash, orderUid } from '../columns.ts'

/** An order that the clock placed for a conditional order. */
export const conditionalParts = pgTable(
  'conditional_parts',
  {
    chainId: integer('chain_id').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    /** of the conditional order */
    owner: address('owner').notNull(),
    /** of the conditional order */
    hash: hash('hash').notNull(),
    /** block at which it became tradeable */
    placedBlock: bigint('placed_block', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.orderUid] }),
    index('conditional_parts_of_order').on(t.chainId, t.owner, t.hash, t.placedBlock),
  ],
)
