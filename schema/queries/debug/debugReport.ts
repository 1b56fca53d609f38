import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Database } from '../../client.ts'
import { auctionEntries, auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { currentPrice } from '../auctions/currentAuction.ts'
import type { OrderEventLabel } from '../events/progressEvents.ts'
import { ordersOfSolution, settlementOfAttempt, settlementOfTrade } from '../fragments/joins.ts'
import { lostWithOrder } from '../fragments/lostWithOrder.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { selectWithQuote, toStoredOrder } from '../orders/orders.ts'

const maxTrades = 100

/**
 * The full history of one order, in one round trip. Its auctions are those in which a solution had it or a settlement
 * executed it; attempts are those of all winners of these auctions. `membership` and `currentAuction` say which
 * auctions had it as an order to fill, and how the newest auction values its tokens.
 * @returns undefined for an unknown order
 */
export const selectDebugReport = async (database: Database, chainId: number, uid: Hex) => {
  const auctionIds = union(
    database
      .select({ id: solutionOrders.auctionId })
      .from(solutionOrders)
      .where(and(eq(solutionOrders.chainId, chainId), eq(solutionOrders.orderUid, uid))),
    database
      .select({ id: executions.auctionId })
      .from(executions)
      .where(and(eq(executions.chainId, chainId), eq(executions.orderUid, uid))),
    database.select({ id: auctions.id }).from(auctions).where(lostWithOrder(chainId, uid)),
  )
  const [
    [order],
    events,
    ofSolutions,
    ofExecutions,
    attempts,
    ofPolicies,
    ofTrades,
    [membership],
    [currentAuction],
    ofAuctions,
  ] = await database.batch([
    selectWithQuote(database).where(and(eq(orders.chainId, chainId), eq(orders.uid, uid))),
    database
      .select({
        id: orderEvents.id,
        key: orderEvents.key,
        label: sql<OrderEventLabel>`${orderEvents.label}`,
        reason: orderEvents.reason,
        createdAt: orderEvents.createdAt,
        /** with microseconds, as in the archive */
        time: sql<string>`to_char(${orderEvents.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
        data: sql<JsonObject | null>`${orderEvents.data}`,
        /** not null: the archive has this event and the order's earlier ones */
        archivePart: orderEvents.archivePart,
      })
      .from(orderEvents)
      .where(and(eq(orderEvents.chainId, chainId), eq(orderEvents.orderUid, uid)))
      .orderBy(asc(orderEvents.createdAt), asc(orderEvents.id)),
    database
      .select({
        auctionId: solutions.auctionId,
        uid: solutions.uid,
        solver: solutions.solver,
        isWinner: solutions.isWinner,
        filteredOut: solutions.filteredOut,
        score: solutions.score,
        executedSell: solutionOrders.executedSell,
        executedBuy: solutionOrders.executedBuy,
      })
      .from(solutionOrders)
      .innerJoin(solutions, ordersOfSolution)
      .where(and(eq(solutionOrders.chainId, chainId), eq(solutionOrders.orderUid, uid)))
      .orderBy(asc(solutions.auctionId), asc(solutions.uid)),
    database
      .select({
        auctionId: executions.auctionId,
        executedFee: executions.executedFee,
        executedFeeToken: executions.executedFeeToken,
        blockNumber: executions.blockNumber,
        protocolFees: executions.protocolFees,
      })
      .from(executions)
      .where(and(eq(executions.chainId, chainId), eq(executions.orderUid, uid))),
    database
      .select({
        auctionId: settlementAttempts.auctionId,
        solutionUid: settlementAttempts.solutionUid,
        solver: settlementAttempts.solver,
        startedAt: settlementAttempts.startedAt,
        endedAt: settlementAttempts.endedAt,
        startBlock: settlementAttempts.startBlock,
        endBlock: settlementAttempts.endBlock,
        deadlineBlock: settlementAttempts.deadlineBlock,
        outcome: settlementAttempts.outcome,
        blame: settlementAttempts.blame,
        mismatch: settlements.mismatch,
      })
      .from(settlementAttempts)
      .leftJoin(settlements, settlementOfAttempt)
      .where(and(eq(settlementAttempts.chainId, chainId), inArray(settlementAttempts.auctionId, auctionIds)))
      .orderBy(asc(settlementAttempts.auctionId), asc(settlementAttempts.solutionUid)),
    database
      .select({
        auctionId: feePolicies.auctionId,
        kind: feePolicies.kind,
        surplusFactor: feePolicies.surplusFactor,
        surplusMaxVolumeFactor: feePolicies.surplusMaxVolumeFactor,
        volumeFactor: feePolicies.volumeFactor,
        priceImprovementFactor: feePolicies.priceImprovementFactor,
        priceImprovementMaxVolumeFactor: feePolicies.priceImprovementMaxVolumeFactor,
      })
      .from(feePolicies)
      .where(
        and(
          eq(feePolicies.chainId, chainId),
          inArray(feePolicies.auctionId, auctionIds),
          eq(feePolicies.orderUid, uid),
        ),
      )
      .orderBy(asc(feePolicies.auctionId), asc(feePolicies.applicationOrder)),
    database
      .select({
        blockNumber: trades.blockNumber,
        logIndex: trades.logIndex,
        sellAmount: trades.sellAmount,
        buyAmount: trades.buyAmount,
        feeAmount: trades.feeAmount,
        transactionHash: trades.transactionHash,
        /** null until the settlement is attributed to an auction */
        auctionId: settlements.auctionId,
        /** of the settlement: sender, gas units of its transaction, wei per gas unit */
        solver: settlements.solver,
        gasUsed: settlements.gasUsed,
        effectiveGasPrice: settlements.effectiveGasPrice,
      })
      .from(trades)
      .leftJoin(settlements, settlementOfTrade)
      .where(and(eq(trades.chainId, chainId), eq(trades.orderUid, uid)))
      .orderBy(newestFirst(trades.blockNumber), newestFirst(trades.logIndex))
      .limit(maxTrades),
    database
      .select({
        first: sql<number | null>`min(${auctionEntries.enteredAuctionId})`.mapWith(Number),
        last: sql<
          number | null
        >`max(coalesce(${auctionEntries.leftAuctionId} - 1, ${currentAuctions.id}, ${auctionEntries.enteredAuctionId}))`.mapWith(
          Number,
        ),
        isOpen: sql<boolean>`coalesce(bool_or(${auctionEntries.leftAuctionId} is null), false)`,
      })
      .from(auctionEntries)
      .leftJoin(currentAuctions, eq(currentAuctions.chainId, auctionEntries.chainId))
      .where(and(eq(auctionEntries.chainId, chainId), eq(auctionEntries.orderUid, uid))),
    database
      .select({
        id: currentAuctions.id,
        /** wei per 10¹⁸ atoms, a decimal string */
        sellTokenPrice: currentPrice(orders.sellToken),
        buyTokenPrice: currentPrice(orders.buyToken),
      })
      .from(currentAuctions)
      .innerJoin(orders, and(eq(orders.chainId, currentAuctions.chainId), eq(orders.uid, uid)))
      .where(eq(currentAuctions.chainId, chainId)),
    // last: auctions that are archived meanwhile then have their keys
    database
      .select({
        id: auctions.id,
        block: auctions.block,
        deadlineBlock: auctions.deadlineBlock,
        /** not null: the archive has its prices, and the solutions and fee policies of its orders */
        archiveKey: auctions.archiveKey,
        /** wei per 10¹⁸ atoms, a decimal string */
        sellTokenPrice: sql<string | null>`${auctions.prices} ->> ('0x' || encode(${orders.sellToken}, 'hex'))`,
        buyTokenPrice: sql<string | null>`${auctions.prices} ->> ('0x' || encode(${orders.buyToken}, 'hex'))`,
      })
      .from(auctions)
      .innerJoin(orders, and(eq(orders.chainId, auctions.chainId), eq(orders.uid, uid)))
      .where(and(eq(auctions.chainId, chainId), inArray(auctions.id, auctionIds)))
      .orderBy(asc(auctions.id)),
  ])
  return (
    order && {
      order: toStoredOrder(order),
      facts: {
        events,
        auctions: ofAuctions,
        solutions: ofSolutions,
        executions: ofExecutions,
        attempts,
        feePolicies: ofPolicies,
        trades: ofTrades,
        membership: membership ?? { first: null, last: null, isOpen: false },
        currentAuction,
      },
    }
  )
}

/** Facts without what the archive has. */
export type StoredDebugFacts = NonNullable<Awaited<ReturnType<typeof selectDebugReport>>>['facts']

export type DebugFacts = Omit<StoredDebugFacts, 'events'> & {
  events: Pick<StoredDebugFacts['events'][number], 'label' | 'reason' | 'createdAt' | 'data'>[]
}
