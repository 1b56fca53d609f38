import { and, desc, eq, inArray, lt, notExists, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { attemptOfSolution, ordersOfSolution } from '../fragments/joins.ts'

/** A winning solution with the amounts that it promised each order, atoms. */
export type WinningSolution = {
  auctionId: number
  solutionUid: number
  solver: Address
  /** head when the auction was decided */
  startBlock: number
  /** last block in which it may be settled */
  deadlineBlock: number
  orders: {
    uid: Hex
    executedSell: bigint
    executedBuy: bigint
    /** in the order of application */
    protocolFees: { token: Address; amount: string }[]
    /** just-in-time order: only the solver knew it */
    isJit: boolean
  }[]
}

/** The newest hundred auctions in which a winner has one of these orders. */
export const selectAuctionsWonWith = async (
  database: Database,
  chainId: number,
  uids: readonly Hex[],
): Promise<number[]> => {
  if (uids.length === 0) return []
  const rows = await database
    .selectDistinct({ auctionId: solutionOrders.auctionId })
    .from(solutionOrders)
    .innerJoin(solutions, and(ordersOfSolution, solutions.isWinner))
    .where(and(eq(solutionOrders.chainId, chainId), inArray(solutionOrders.orderUid, [...uids])))
    .orderBy(desc(solutionOrders.auctionId))
    .limit(100)
  return rows.map(({ auctionId }) => auctionId)
}

/** Prices of an auction by token, wei per 10¹⁸ atoms, decimal strings; empty when it is archived. */
export const selectAuctionPrices = async (
  database: Database,
  chainId: number,
  auctionId: number,
): Promise<Record<string, string>> => {
  const [row] = await database
    .select({ prices: auctions.prices })
    .from(auctions)
    .where(and(eq(auctions.chainId, chainId), eq(auctions.id, auctionId)))
  return row?.prices ?? {}
}

/** Winners of some auctions of a chain, except those settled before `block`. */
export const selectWinningSolutions = async (
  database: Database,
  chainId: number,
  auctionIds: readonly number[],
  block: number,
): Promise<WinningSolution[]> => {
  if (auctionIds.length === 0) return []
  const settledBefore = database
    .select({ found: sql`1` })
    .from(settlements)
    .where(
      and(
        eq(settlements.chainId, solutions.chainId),
        eq(settlements.auctionId, solutions.auctionId),
        eq(settlements.solutionUid, solutions.uid),
        lt(settlements.blockNumber, block),
      ),
    )
  const rows = await database
    .select({
      auctionId: solutions.auctionId,
      solutionUid: solutions.uid,
      solver: solutions.solver,
      startBlock: settlementAttempts.startBlock,
      deadlineBlock: settlementAttempts.deadlineBlock,
      order: {
        uid: solutionOrders.orderUid,
        executedSell: solutionOrders.executedSell,
        executedBuy: solutionOrders.executedBuy,
        side: solutionOrders.side,
        sellToken: solutionOrders.sellToken,
        buyToken: solutionOrders.buyToken,
        protocolFees: solutionOrders.protocolFees,
        isJit: sql<boolean>`${orders.uid} is null or ${orders.jitBlock} is not null`,
      },
    })
    .from(solutions)
    .innerJoin(solutionOrders, ordersOfSolution)
    .innerJoin(settlementAttempts, attemptOfSolution)
    .leftJoin(orders, and(eq(orders.chainId, solutionOrders.chainId), eq(orders.uid, solutionOrders.orderUid)))
    .where(
      and(
        eq(solutions.chainId, chainId),
        inArray(solutions.auctionId, [...auctionIds]),
        solutions.isWinner,
        notExists(settledBefore),
      ),
    )
  const winners = new Map<string, WinningSolution>()
  for (const { order, ...solution } of rows) {
    const key = `${solution.auctionId}:${solution.solutionUid}`
    const winner = winners.get(key) ?? { ...solution, orders: [] }
    const { side, sellToken, buyToken, protocolFees, ...executed } = order
    const token = side === 'sell' ? buyToken : sellToken
    winner.orders.push({ ...executed, protocolFees: protocolFees.map((amount) => ({ token, amount })) })
    winners.set(key, winner)
  }
  return [...winners.values()]
}
