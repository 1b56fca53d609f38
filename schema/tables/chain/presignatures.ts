import { boolean, index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { address, logPlace, orderUid } from '../columns.ts'

/** One `PreSignature` event; an order's newest one decides whether it is signed. */
export const presignatures = pgTable(
  'presignatures',
  {
    ...logPlace(),
    owner: address('owner').notNull(),
    orderUid: orderUid('order_uid').notNull(),
    signed: boolean('signed').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.blockNumber, t.logIndex] }),
    index('presignatures_newest_of_order').on(t.chainId, t.orderUid, t.blockNumber.desc(), t.logIndex.desc()),
  ],
)
