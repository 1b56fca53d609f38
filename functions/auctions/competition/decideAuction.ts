import type { Address, Hex } from 'viem'
import { selectCancelledUids } from '#schema/queries/auctions/listedOrders.ts'
import type { LeftOut } from '#schema/tables/auctions/auctions.ts'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { describeLoss, findLoss } from '#shared/solvers/findLoss.ts'
import { withDeadline } from '#shared/withDeadline.ts'
import type { Auction } from '../auction.ts'
import { requestNotice } from '../solvers/requestNotice.ts'
import type { CompetitionDeps } from './competitionDeps.ts'
import { pickWinners, type RankedSolution } from './pickWinners.ts'
import { type Attempt, recordAuction } from './recordAuction.ts'
import type { Revealed } from './revealSolution.ts'
import type { Rules } from './rules.ts'
import type { ScoredSolution } from './scoreSolution.ts'

export type DecisionDeps = Pick<
  CompetitionDeps,
  'network' | 'database' | 'chain' | 'shuffle' | 'log' | 'now' | 'solvers' | 'background' | 'hideBeforeDeadline'
> &
  Pick<Rules, 'allowances' | 'hasFailed' | 'isOpen' | 'deadlineBlocksOf'> & {
    /** see `revealSolution` */
    reveal: (auction: Auction, solution: ScoredSolution) => Promise<Revealed>
  }

/** Maximum number of winners per auction with certain orders, and with uncertain ones. */
const maxWinners = 20
/** Requests of calldata to one solver at the same time; a Worker has six connections. */
const concurrentReveals = 4
/** As in `collectSolutions`. */
const maxReasonLength = 500
/**
 * Time for all requests of calldata; solutions that are not checked by then cannot win. A solver has half of the rest
 * for all its solutions, from its first check on, so that it leaves time for the next best of another solver.
 */
const revealTimeMs = 4_000

/**
 * Picks the winners and records the auction. Solutions with orders that were cancelled during the competition are
 * dropped, as is a winner whose revealed calldata does not keep its promise (`revealSolution`): the best of the others
 * win. So is a solution to which others are unfair, which otherwise excluded them with a promise that nothing proves.
 * A solver with a fault in its calldata loses all its solutions of this auction.
 * @param leftOut solvers that participated only partly or not at all, recorded with the auction
 * @returns the running attempts, empty when no solution is left
 * @throws Error when the node or the database fails, or another clock recorded a newer auction
 */
export const decideAuction = async (
  deps: DecisionDeps,
  auction: Auction,
  solutions: readonly ScoredSolution[],
  leftOut: readonly LeftOut[] = [],
): Promise<Attempt[]> => {
  const { network, solvers, background, log, now } = deps
  const rejected: LeftOut[] = []
  /** by `toKey` */
  const calldatas = new Map<string, Hex>()
  const until = now() + revealTimeMs
  /** when the checks of a solver end */
  const ends = new Map<Address, number>()
  const rank = (standing: readonly ScoredSolution[]) =>
    pickWinners({ ...deps, ...auction, maxWinners, wrappedNative: network.wrappedNative }, standing)
  /** Ranks the solutions that keep their promises. */
  const rankRevealed = async (proposed: readonly ScoredSolution[]): Promise<RankedSolution[]> => {
    const ranked = rank(proposed)
    const origins = new Map(proposed.map((solution) => [toKey(solution), solution]))
    const deciding = new Set(ranked.flatMap((each) => (each.isWinner ? [each] : each.filteredBy)).map(toKey))
    const unchecked = [...deciding].flatMap((key) => (calldatas.has(key) ? [] : (origins.get(key) ?? [])))
    if (unchecked.length === 0) return ranked
    if (now() >= until) return rank(proposed.filter((solution) => calldatas.has(toKey(solution))))
    const dropped = new Set<ScoredSolution>()
    const isAlone = new Set(proposed.map(({ solver }) => solver)).size === 1
    const check = async (solution: ScoredSolution): Promise<void> => {
      if (dropped.has(solution)) return
      const { solver: address, solutionId } = solution
      const half = now() + (until - now()) / 2
      const end = isAlone ? half : (ends.get(address) ?? half)
      ends.set(address, end)
      const revealed = await withDeadline(deps.reveal(auction, solution), Math.max(0, end - now())).catch(
        (error: unknown): Revealed => ({ fault: `its calldata is not checked: ${describeError(error)}`, isOwn: false }),
      )
      if ('calldata' in revealed) return void calldatas.set(toKey(solution), revealed.calldata)
      const isLate = !isAlone && now() >= end
      const reason = revealed.fault.slice(0, maxReasonLength)
      const solver = solvers.find((connected) => connected.address === address)
      log({
        message: 'solution rejected',
        auction: auction.id,
        solver: solver?.name ?? address,
        solutionId: String(solutionId),
        reason,
      })
      const isFirst = !rejected.some((entry) => entry.solver === address)
      const notice = { auctionId: String(auction.id), solutionId, kind: 'rejected', reason } as const
      if (solver && isFirst) background(requestNotice(solver, notice))
      rejected.push({ solver: address, kind: 'rejected', reason })
      for (const other of proposed) {
        const isAffected = revealed.isOwn || (isLate && !calldatas.has(toKey(other)))
        if (other === solution || (isAffected && other.solver === address)) dropped.add(other)
      }
    }
    // a solver waits for its own solutions only
    const bySolver = Map.groupBy(unchecked, ({ solver }) => solver)
    await Promise.all([...bySolver.values()].map((own) => mapBounded(own, concurrentReveals, check)))
    return rankRevealed(proposed.filter((solution) => !dropped.has(solution)))
  }
  const decide = async (proposed: readonly ScoredSolution[]): Promise<Attempt[]> => {
    const cancelled = await findCancelled(deps, proposed)
    const standing = proposed.filter(({ orders }) => ![...orders.keys()].some((uid) => cancelled.has(uid)))
    if (standing.length < proposed.length)
      log({ message: 'solutions dropped', auction: auction.id, dropped: proposed.length - standing.length })
    const ranked = standing.length === 0 ? [] : await rankRevealed(standing)
    if (ranked.length === 0) return []
    try {
      const named = new Set(leftOut.map(({ solver }) => solver))
      const yielded = ranked.flatMap(({ isWinner, solver, yielded: uid }): LeftOut[] =>
        uid && !isWinner ? [{ solver, kind: 'yielded', reason: `order ${uid}: this solver failed it before` }] : [],
      )
      const others = uniqueBySolver([...rejected, ...yielded]).filter(({ solver }) => !named.has(solver))
      const entries = [...leftOut, ...others]
      const attempts = await recordAuction(deps, auction, ranked, entries, (winner) => calldatas.get(toKey(winner)))
      if (!deps.hideBeforeDeadline) notifyLosers(deps, auction, ranked)
      return attempts
    } catch (error) {
      const late = await findCancelled(deps, ranked.filter(isWinner))
      // each repetition drops a solution at least
      if (late.size === 0) throw error
      return decide(standing)
    }
  }
  return decide(solutions)
}

/** Notifies each solver of its best solution that lost to others, and why. Solvers know their own winners. */
const notifyLosers = (
  { network, solvers, background }: DecisionDeps,
  auction: Auction,
  ranked: readonly RankedSolution[],
): void => {
  const winners = ranked.filter(isWinner)
  const notified = new Set<string>()
  for (const solution of ranked) {
    const solver = solvers.find(({ address }) => address === solution.solver)
    if (solution.isWinner || !solver || notified.has(solver.address)) continue
    const loss = findLoss(solution, winners, network.wrappedNative)
    if ('solver' in loss && loss.solver === solver.address) continue
    notified.add(solver.address)
    const notice = { auctionId: String(auction.id), solutionId: solution.solutionId, kind: 'lost' } as const
    background(requestNotice(solver, { ...notice, reason: describeLoss(loss) }))
  }
}

const isWinner = (solution: RankedSolution): boolean => solution.isWinner

/** A solver uses an id once per auction. */
const toKey = ({ solver, solutionId }: Pick<ScoredSolution, 'solver' | 'solutionId'>): string =>
  `${solver}:${solutionId}`

const uniqueBySolver = (entries: readonly LeftOut[]): LeftOut[] => [
  ...new Map(entries.map((entry) => [entry.solver, entry])).values(),
]

const findCancelled = ({ database, network }: DecisionDeps, solutions: readonly ScoredSolution[]): Promise<Set<Hex>> =>
  selectCancelledUids(database, network.chainId, [...new Set(solutions.flatMap(({ orders }) => [...orders.keys()]))])
