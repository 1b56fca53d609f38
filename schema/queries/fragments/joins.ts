import { and, eq } from 'drizzle-orm'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'

/** The settlement that a trade was part of. */
export const settlementOfTrade = and(
  eq(settlements.chainId, trades.chainId),
  eq(settlements.blockNumber, trades.blockNumber),
  eq(settlements.logIndex, trades.settlementLogIndex),
)

/** Orders of a solution. */
export const ordersOfSolution = and(
  eq(solutionOrders.chainId, solutions.chainId),
  eq(solutionOrders.auctionId, solutions.auctionId),
  eq(solutionOrders.solutionUid, solutions.uid),
)

/** Attempt of a winning solution. */
export const attemptOfSolution = and(
  eq(settlementAttempts.chainId, solutions.chainId),
  eq(settlementAttempts.auctionId, solutions.auctionId),
  eq(settlementAttempts.solutionUid, solutions.uid),
)

/** Settlement of an attempt: a solution is settled at most once. */
export const settlementOfAttempt = and(
  eq(settlements.chainId, settlementAttempts.chainId),
  eq(settlements.auctionId, settlementAttempts.auctionId),
  eq(settlements.solutionUid, settlementAttempts.solutionUid),
)
