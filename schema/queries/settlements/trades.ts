import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { settlementOfTrade } from '../fragments/joins.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import type { Page } from '../orders/orders.ts'
import { isTradeOf } from './isTradeOf.ts'

/** Trades of one account, in orders that it owns or had placed on-chain, or of one order. */
export type TradeFilter = { owner: Address; orderUid?: undefined } | { orderUid: Hex; owner?: undefined }

/** A fee policy of the traded order, in the order of application; factors are shares, null where unused. */
type TradeFeePolicy = Pick<
  typeof feePolicies.$inferSelect,
  | 'kind'
  | 'surplusFactor'
  | 'surplusMaxVolumeFactor'
  | 'volumeFactor'
  | 'priceImprovementFactor'
  | 'priceImprovementMaxVolumeFactor'
>

const policiesOfTrade = sql<TradeFeePolicy[]>`(
  select coalesce(json_agg(json_build_object(
    'kind', ${feePolicies.kind},
    'surplusFactor', ${feePolicies.surplusFactor},
    'surplusMaxVolumeFactor', ${feePolicies.surplusMaxVolumeFactor},
    'volumeFactor', ${feePolicies.volumeFactor},
    'priceImprovementFactor', ${feePolicies.priceImprovementFactor},
    'priceImprovementMaxVolumeFactor', ${feePolicies.priceImprovementMaxVolumeFactor}
  ) order by ${feePolicies.applicationOrder}), '[]')
  from ${feePolicies}
  where ${feePolicies.chainId} = ${trades.chainId} and ${feePolicies.auctionId} = ${settlements.auctionId}
    and ${feePolicies.orderUid} = ${trades.orderUid}
)`

/**
 * Trades of known orders, newest first, with the fees of their auction. Protocol fees stay null until the settlement is
 * attributed to its auction.
 */
export const selectTrades = (database: Database, chainId: number, filter: TradeFilter, page: Page) =>
  database
    .select({
      trade: getTableColumns(trades),
      protocolFees: executions.protocolFees,
      feePolicies: policiesOfTrade,
      quote: {
        sellAmount: orderQuotes.sellAmount,
        buyAmount: orderQuotes.buyAmount,
        feeAmount: orderQuotes.feeAmount,
      },
    })
    .from(trades)
    .innerJoin(orders, and(eq(orders.chainId, trades.chainId), eq(orders.uid, trades.orderUid)))
    .leftJoin(settlements, settlementOfTrade)
    .leftJoin(
      executions,
      and(
        eq(executions.chainId, trades.chainId),
        eq(executions.auctionId, settlements.auctionId),
        eq(executions.orderUid, trades.orderUid),
      ),
    )
    .leftJoin(orderQuotes, and(eq(orderQuotes.chainId, trades.chainId), eq(orderQuotes.orderUid, trades.orderUid)))
    .where(and(eq(trades.chainId, chainId), matches(chainId, filter)))
    .orderBy(newestFirst(trades.blockNumber), newestFirst(trades.logIndex))
    .offset(page.offset)
    .limit(page.limit)

export type SelectedTrade = Awaited<ReturnType<typeof selectTrades>>[number]

const matches = (chainId: number, filter: TradeFilter): SQL =>
  filter.owner === undefined ? eq(trades.orderUid, filter.orderUid) : isTradeOf(chainId, filter.owner)
