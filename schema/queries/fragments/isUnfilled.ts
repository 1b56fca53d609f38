import { and, eq, or, sql } from 'drizzle-orm'
import { orders } from '../../tables/orders/orders.ts'

/** Part of the order's exact amount is unfilled. */
export const isUnfilled = or(
  and(eq(orders.kind, 'sell'), sql`${orders.executedSellAmount} - ${orders.executedFeeAmount} < ${orders.sellAmount}`),
  and(eq(orders.kind, 'buy'), sql`${orders.executedBuyAmount} < ${orders.buyAmount}`),
)
