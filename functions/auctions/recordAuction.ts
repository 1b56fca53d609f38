import type { Hex } from 'viem'
import { type CompetitionRecord, insertCompetition } from '#schema/queries/auctions.ts'
import type { ClockDeps } from './clockDeps.ts'
import type { Auction } from './cutAuction.ts'
import type { RankedSolution } from './pickWinners.ts'

/** A winner that is to settle: what its solver is told. */
export type Attempt = Pick<RankedSolution, 'solver' | 'solutionId'> & {
  auctionId: number
  solutionUid: number
  /** last block in which it may be mined */
  deadlineBlock: number
}

/**
 * Records a ranked auction and a running attempt for each winner before anybody is told to settle: a crash from here on
 * leaves attempts that the chain decides by their deadline, never an order that could be given out twice.
 */
export const recordAuction = async (
  deps: Pick<ClockDeps, 'network' | 'database' | 'chain' | 'submissionDeadlineBlocks'>,
  auction: Auction,
  ranked: readonly RankedSolution[],
): Promise<Attempt[]> => {
  const head = Number(await deps.chain.getBlockNumber())
  const record = buildRecord(auction, ranked, { startBlock: head, deadlineBlock: head + deps.submissionDeadlineBlocks })
  await insertCompetition(deps.database, deps.network.chainId, record)
  return ranked.flatMap(({ isWinner, solver, solutionId }, solutionUid) =>
    isWinner ? [{ solver, solutionId, solutionUid, auctionId: auction.id, deadlineBlock: record.deadlineBlock }] : [],
  )
}

const buildRecord = (
  auction: Auction,
  ranked: readonly RankedSolution[],
  blocks: Pick<CompetitionRecord, 'startBlock' | 'deadlineBlock'>,
): CompetitionRecord => {
  const uidsOf = (solutions: readonly RankedSolution[]) =>
    new Set<Hex>(solutions.flatMap(({ orders }) => [...orders.keys()]))
  const winning = uidsOf(ranked.filter(({ isWinner }) => isWinner))
  const considered = [...uidsOf(ranked.filter(({ filteredOut }) => !filteredOut))].filter((uid) => !winning.has(uid))
  return {
    ...blocks,
    auctionId: auction.id,
    block: auction.block,
    prices: auction.body.prices,
    solutions: ranked.map(({ solver, solutionId, isWinner, filteredOut, score, referenceScore }, uid) => ({
      uid,
      solutionId,
      solver,
      isWinner,
      filteredOut,
      score,
      referenceScore,
    })),
    solutionOrders: ranked.flatMap(({ orders }, solutionUid) =>
      [...orders].map(([orderUid, order]) => ({ solutionUid, orderUid, ...order })),
    ),
    transitions: [
      ...[...winning].map((uid) => ({ uid, label: 'executing' as const, reason: null })),
      ...considered.map((uid) => ({ uid, label: 'considered' as const, reason: null })),
    ],
    winningOrders: [...winning],
  }
}
