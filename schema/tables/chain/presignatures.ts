import { bigint, boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, orderUid } from '../columns.ts'

/** One `PreSignature` event; an order's newest one decides whether it is signed. */
export const presignatures = pgTable(
  'presignatures',
  {
    chainId: integer('chain_id').notNull(),
    blockNumber: bigint('block_number', { mode: 'number' }).notNull(),
    logIndex: integer('log_index').notNull(),
    owner: address('owner').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    signed: boolean('signed').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('presignatures_newest_of_order').on(t.chainId, t.orderUid, t.blockNumber.desc(), t.logIndex.desc()),
  ],
)
