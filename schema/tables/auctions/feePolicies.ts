import { bigint, doublePrecision, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { orderUid } from '../columns.ts'
import { feePolicyKind } from '../enums.ts'

/** A fee policy of one order in one auction. Factors are shares (0.01 = 1 %), null where they do not apply. */
export const feePolicies = pgTable(
  'fee_policies',
  {
    chainId: integer('chain_id').notNull(),
    auctionId: bigint('auction_id', { mode: 'number' }).notNull(),
    orderUid: orderUid('order_uid').notNull(),
    applicationOrder: integer('application_order').notNull(),
    kind: feePolicyKind('kind').notNull(),
    surplusFactor: doublePrecision('surplus_factor'),
    surplusMaxVolumeFactor: doublePrecision('surplus_max_volume_factor'),
    volumeFactor: doublePrecision('volume_factor'),
    priceImprovementFactor: doublePrecision('price_improvement_factor'),
    priceImprovementMaxVolumeFactor: doublePrecision('price_improvement_max_volume_factor'),
  },
  (t) => [primaryKey({ columns: [t.chainId, t.auctionId, t.orderUid, t.applicationOrder] })],
)
