import { and, eq, inArray } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../client.ts'
import { solutionOrders, solutions } from '../tables/solutions.ts'
import { ordersOfSolution } from './joins.ts'

/** A winning solution and what it promised each order, atoms. */
export type WinningSolution = {
  auctionId: number
  solutionUid: number
  solver: Address
  orders: { uid: Hex; executedSell: bigint; executedBuy: bigint }[]
}

/** The winners of some auctions of a chain. */
export const selectWinningSolutions = async (
  database: Database,
  chainId: number,
  auctionIds: readonly number[],
): Promise<WinningSolution[]> => {
  if (auctionIds.length === 0) return []
  const rows = await database
    .select({
      auctionId: solutions.auctionId,
      solutionUid: solutions.uid,
      solver: solutions.solver,
      order: {
        uid: solutionOrders.orderUid,
        executedSell: solutionOrders.executedSell,
        executedBuy: solutionOrders.executedBuy,
      },
    })
    .from(solutions)
    .innerJoin(solutionOrders, ordersOfSolution)
    .where(and(eq(solutions.chainId, chainId), inArray(solutions.auctionId, [...auctionIds]), solutions.isWinner))
  const winners = new Map<string, WinningSolution>()
  for (const { order, ...solution } of rows) {
    const key = `${solution.auctionId}:${solution.solutionUid}`
    const winner = winners.get(key) ?? { ...solution, orders: [] }
    winner.orders.push(order)
    winners.set(key, winner)
  }
  return [...winners.values()]
}
