import { and, eq, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { settlementOfTrade } from '../fragments/joins.ts'
import { surplusOfTrade, surplusPrice } from '../fragments/surplusOfTrade.ts'
import { isTradeOf } from './isTradeOf.ts'

/**
 * Total surplus of an account over limit prices, in orders that it owns or had placed on-chain, valued at the prices of
 * the settling auctions:
 * ⌊ Σ trades: surplus · auction price of the surplus token / 10^18 ⌋
 * in whole numbers, rounded down once, at the end. Each trade counts once, in its own auction, as soon as its
 * settlement is attributed to that auction; a trade in a token without a price adds nothing. (The public system joins
 * executions by order alone, so each trade of an order filled in k auctions counts k times there.)
 * @returns wei; 0 for an owner without trades
 */
export const selectTotalSurplus = async (database: Database, chainId: number, owner: Address): Promise<bigint> => {
  const [row] = await database
    .select({
      total: sql<string>`coalesce(div(sum(${surplusOfTrade} * ${surplusPrice}), 1000000000000000000), 0)::text`,
    })
    .from(trades)
    .innerJoin(orders, and(eq(orders.chainId, trades.chainId), eq(orders.uid, trades.orderUid)))
    .innerJoin(settlements, settlementOfTrade)
    .innerJoin(
      executions,
      and(
        eq(executions.chainId, trades.chainId),
        eq(executions.auctionId, settlements.auctionId),
        eq(executions.orderUid, trades.orderUid),
      ),
    )
    .innerJoin(auctions, and(eq(auctions.chainId, trades.chainId), eq(auctions.id, settlements.auctionId)))
    .where(and(eq(trades.chainId, chainId), isTradeOf(chainId, owner)))
  return BigInt(row?.total ?? 0)
}
