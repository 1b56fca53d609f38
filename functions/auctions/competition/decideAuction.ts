import type { Hex } from 'viem'
import { selectCancelledUids } from '#schema/queries/auctions/listedOrders.ts'
import type { LeftOut } from '#schema/tables/auctions/auctions.ts'
import type { Auction } from '../auction.ts'
import type { CompetitionDeps } from './competitionDeps.ts'
import { pickWinners, type RankedSolution } from './pickWinners.ts'
import { type Attempt, recordAuction } from './recordAuction.ts'
import type { Rules } from './rules.ts'
import type { ScoredSolution } from './scoreSolution.ts'

export type DecisionDeps = Pick<
  CompetitionDeps,
  'network' | 'database' | 'chain' | 'submissionDeadlineBlocks' | 'shuffle' | 'log'
> &
  Partial<Pick<Rules, 'allowances' | 'deadlineBlocksOf'>>

/** Maximum number of winners per auction. */
const maxWinners = 20
/** Maximum number of repeated decisions because of cancellations while the auction is recorded. */
const maxRepetitions = 3

/**
 * Picks the winners and records the auction. Solutions with orders that were cancelled during the competition are
 * dropped, and the best of the others win.
 * @param leftOut solvers that participated only partly or not at all, recorded with the auction
 * @returns the running attempts, empty when no solution is left
 * @throws Error when the database fails, or another clock recorded a newer auction
 */
export const decideAuction = async (
  deps: DecisionDeps,
  auction: Auction,
  solutions: readonly ScoredSolution[],
  leftOut: readonly LeftOut[] = [],
  repetitions = maxRepetitions,
): Promise<Attempt[]> => {
  const { shuffle, network, log, allowances = new Map() } = deps
  const cancelled = await findCancelled(deps, solutions)
  const standing = solutions.filter(({ orders }) => ![...orders.keys()].some((uid) => cancelled.has(uid)))
  if (standing.length < solutions.length) {
    log({ message: 'solutions dropped', auction: auction.id, dropped: solutions.length - standing.length })
  }
  if (standing.length === 0) return []
  const ranked = pickWinners(
    { shuffle, maxWinners, allowances, wrappedNative: network.wrappedNative, failures: auction.alone },
    standing,
  )
  try {
    return await recordAuction(deps, auction, ranked, leftOut)
  } catch (error) {
    const late = await findCancelled(deps, ranked.filter(isWinner))
    if (late.size === 0 || repetitions === 0) throw error
    return decideAuction(deps, auction, standing, leftOut, repetitions - 1)
  }
}

const isWinner = (solution: RankedSolution): boolean => solution.isWinner

const findCancelled = ({ database, network }: DecisionDeps, solutions: readonly ScoredSolution[]): Promise<Set<Hex>> =>
  selectCancelledUids(database, network.chainId, [...new Set(solutions.flatMap(({ orders }) => [...orders.keys()]))])
