import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { type Given, prepared } from '../../neon/prepared.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { settlementOfTrade } from '../fragments/joins.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import type { Page } from '../orders/orders.ts'

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
export const selectTrades = (database: Database, chainId: number, { owner, orderUid }: TradeFilter, page: Page) => {
  const reach = page.offset + page.limit
  return owner === undefined
    ? selectTradesOfOrder(database, { chainId, orderUid, ...page })
    : selectTradesOfAccount(database, { chainId, owner, reach, ...page })
}

const selectWithFees = (database: Database) =>
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

export type SelectedTrade = Awaited<ReturnType<typeof selectTrades>>[number]

const selectTradesOfOrder = prepared((database, given) =>
  selectWithFees(database)
    .where(
      and(
        eq(trades.chainId, given('chainId', trades.chainId)),
        eq(trades.orderUid, given('orderUid', trades.orderUid)),
      ),
    )
    .orderBy(newestFirst(trades.blockNumber), newestFirst(trades.logIndex))
    .offset(given('offset'))
    .limit(given('limit')),
)

const selectTradesOfAccount = prepared((database, given) =>
  selectWithFees(database)
    .where(
      and(
        eq(trades.chainId, given('chainId', trades.chainId)),
        sql`(${trades.blockNumber}, ${trades.logIndex}) in (${selectPositions(database, given)})`,
      ),
    )
    .orderBy(newestFirst(trades.blockNumber), newestFirst(trades.logIndex))
    .limit(given('limit')),
)

/**
 * A page of the newest trades of an account: those of orders that it owns and those of orders that it had placed
 * on-chain, each read by its index only as far as the page needs them.
 */
const selectPositions = (database: Database, given: Given) => {
  const isKnown = sql`exists (select from ${orders}
    where ${orders.chainId} = ${trades.chainId} and ${orders.uid} = ${trades.orderUid})`
  const owned = database
    .select({ blockNumber: trades.blockNumber, logIndex: trades.logIndex })
    .from(trades)
    .where(
      and(
        eq(trades.chainId, given('chainId', trades.chainId)),
        eq(trades.owner, given('owner', trades.owner)),
        isKnown,
      ),
    )
    .orderBy(newestFirst(trades.blockNumber), newestFirst(trades.logIndex))
    .limit(given('reach'))
  // the index is ascending: backwards it has nulls first, and neither column is ever null
  const placed = database
    .select({ blockNumber: tradeValues.blockNumber, logIndex: tradeValues.logIndex })
    .from(tradeValues)
    .where(
      and(
        eq(tradeValues.chainId, given('chainId', tradeValues.chainId)),
        eq(tradeValues.trader, given('owner', tradeValues.trader)),
      ),
    )
    .orderBy(desc(tradeValues.blockNumber), desc(tradeValues.logIndex))
    .limit(given('reach'))
  return union(owned, placed)
    .orderBy(newestFirst(trades.blockNumber), newestFirst(trades.logIndex))
    .offset(given('offset'))
    .limit(given('limit'))
}
