import { and, asc, desc, eq, isNotNull, max, min, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctionEntries, auctions, membershipOf } from '../../tables/auctions/auctions.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'

/** The auction's deadline block is indexed: it can no longer be settled. */
const isPast = sql`${auctions.deadlineBlock} <= (select max(${blocks.number}) from ${blocks}
  where ${blocks.chainId} = ${auctions.chainId})`

/** The newest auction with a competition; `onlyPast`: the newest of those past their deadline. */
export const selectLatestAuctionId = async (
  database: Database,
  chainId: number,
  onlyPast = false,
): Promise<number | null> => {
  const [row] = await database
    .select({ id: max(auctions.id) })
    .from(auctions)
    .where(and(eq(auctions.chainId, chainId), onlyPast ? isPast : undefined))
  return row?.id ?? null
}

/** The auction that a transaction settled; null until its settlement is attributed. */
export const selectSettledAuctionId = async (
  database: Database,
  chainId: number,
  transactionHash: Hex,
): Promise<number | null> => {
  const [row] = await database
    .select({ id: min(settlements.auctionId) })
    .from(settlements)
    .where(
      and(
        eq(settlements.chainId, chainId),
        eq(settlements.transactionHash, transactionHash),
        isNotNull(settlements.auctionId),
      ),
    )
  return row?.id ?? null
}

/**
 * One auction with its members, all solutions (worst first), settlements and attempts, and the newest indexed block, in
 * one round trip.
 * @param onlyPast treats an auction before its deadline as missing
 */
export const selectSolverCompetition = async (
  database: Database,
  chainId: number,
  auctionId: number,
  onlyPast = false,
) => {
  const [members, ofSolutions, ofOrders, ofSettlements, ofAttempts, [head], [auction]] = await database.batch([
    database
      .select({ orderUid: auctionEntries.orderUid })
      .from(auctionEntries)
      .where(and(eq(auctionEntries.chainId, chainId), sql`${membershipOf(auctionEntries)} @> ${auctionId}::bigint`))
      .orderBy(asc(auctionEntries.orderUid)),
    database
      .select({
        uid: solutions.uid,
        solver: solutions.solver,
        isWinner: solutions.isWinner,
        filteredOut: solutions.filteredOut,
        score: solutions.score,
        referenceScore: solutions.referenceScore,
      })
      .from(solutions)
      .where(and(eq(solutions.chainId, chainId), eq(solutions.auctionId, auctionId)))
      .orderBy(desc(solutions.uid)),
    database
      .select({
        solutionUid: solutionOrders.solutionUid,
        orderUid: solutionOrders.orderUid,
        sellToken: solutionOrders.sellToken,
        buyToken: solutionOrders.buyToken,
        executedSell: solutionOrders.executedSell,
        executedBuy: solutionOrders.executedBuy,
      })
      .from(solutionOrders)
      .where(and(eq(solutionOrders.chainId, chainId), eq(solutionOrders.auctionId, auctionId)))
      .orderBy(asc(solutionOrders.orderUid)),
    database
      .select({
        solutionUid: settlements.solutionUid,
        transactionHash: settlements.transactionHash,
        mismatch: settlements.mismatch,
        blockNumber: settlements.blockNumber,
        settledAt: settlements.settledAt,
        gasUsed: settlements.gasUsed,
        effectiveGasPrice: settlements.effectiveGasPrice,
      })
      .from(settlements)
      .where(and(eq(settlements.chainId, chainId), eq(settlements.auctionId, auctionId)))
      .orderBy(asc(settlements.blockNumber), asc(settlements.logIndex)),
    database
      .select({
        solutionUid: settlementAttempts.solutionUid,
        outcome: settlementAttempts.outcome,
        endBlock: settlementAttempts.endBlock,
        deadlineBlock: settlementAttempts.deadlineBlock,
        blame: settlementAttempts.blame,
      })
      .from(settlementAttempts)
      .where(and(eq(settlementAttempts.chainId, chainId), eq(settlementAttempts.auctionId, auctionId))),
    database
      .select({ number: max(blocks.number) })
      .from(blocks)
      .where(eq(blocks.chainId, chainId)),
    // last: a competition that is archived meanwhile then has its key
    database
      .select({
        id: auctions.id,
        block: auctions.block,
        deadlineBlock: auctions.deadlineBlock,
        prices: auctions.prices,
        leftOut: auctions.leftOut,
        /** not null: the archive has its prices, its solutions with their orders, and what was left out */
        archiveKey: auctions.archiveKey,
      })
      .from(auctions)
      .where(and(eq(auctions.chainId, chainId), eq(auctions.id, auctionId), onlyPast ? isPast : undefined)),
  ])
  return (
    auction && {
      auction,
      members: members.map(({ orderUid }) => orderUid),
      solutions: ofSolutions,
      solutionOrders: ofOrders,
      settlements: ofSettlements,
      attempts: ofAttempts,
      /** null before the first indexed block */
      head: head?.number ?? null,
    }
  )
}

export type SolverCompetitionFacts = NonNullable<Awaited<ReturnType<typeof selectSolverCompetition>>>
