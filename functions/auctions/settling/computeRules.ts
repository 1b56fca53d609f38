import type { Address, Hex } from 'viem'
import { ranks, toBarredRank } from '../competition/pickWinners.ts'
import type { Rules } from '../competition/rules.ts'
import { computeBarredOrders } from './computeBarredOrders.ts'
import { computeStandings } from './computeStandings.ts'
import { describeSuspension } from './describeSuspension.ts'
import type { Participation } from './findParticipation.ts'

export type RuleFacts = {
  participation: Participation
  /** solvers that may settle */
  able: readonly Address[]
  /** see `computeWaiting` */
  waiting: ReadonlyMap<Hex, number>
  /** of the auction */
  block: number
  /** number of blocks in which a proven solver must settle a win */
  deadlineBlocks: number
}

/**
 * After this many blocks in the auctions without a win, an order is open to suspended solvers and exempt from
 * allowances.
 */
export const blocksUntilOpen = 2
const leastDeadline = 2
/** share of a proven solver's deadline */
const unprovenShare = 0.4

/**
 * Participation of solvers in an auction. A solver suspended for time-outs receives the orders that were not won for
 * two blocks, except those from which it is barred, so that no pair loses its only solvers. An unproven solver may hold
 * one unsettled win at a time, not counting orders that were not won for two blocks, and has two blocks or two fifths
 * of the deadline to settle it. It ranks last on orders that failed before, so it blocks an order at most once.
 */
export const computeRules = ({
  participation,
  able,
  waiting,
  block,
  deadlineBlocks,
}: RuleFacts): Omit<Rules, 'findAllowed'> => {
  const { suspensions, allowances, unproven, failures } = participation
  const isLaden = (solver: Address) => allowances.get(solver) === 0
  const standings = computeStandings(able, suspensions, new Set(able.filter(isLaden)))
  const standingOf = (solver: Address) => standings.get(solver) ?? (suspensions.has(solver) ? 'out' : 'full')
  const failed = new Set(failures.map(({ orderUid }) => orderUid))
  const bars = new Map(able.map((solver) => [solver, computeBarredOrders(failures, { solver, block, deadlineBlocks })]))
  const isBarred = (solver: Address, uid: Hex) => bars.get(solver)?.has(uid) ?? false
  const isOpen = (uid: Hex) => block >= (waiting.get(uid) ?? block) + blocksUntilOpen
  return {
    standingOf,
    rankOf: (solver, uids) => {
      const failures = Math.max(0, ...uids.map((uid) => bars.get(solver)?.get(uid) ?? 0))
      if (failures > 0) return toBarredRank(failures, { isProven: !unproven.has(solver) })
      const standing = standingOf(solver)
      if (standing === 'out' || standing === 'returned') return ranks.suspended
      if (unproven.has(solver) && (isLaden(solver) || uids.some((uid) => failed.has(uid)))) return ranks.unproven
      return standing === 'full' ? ranks.full : ranks.yields
    },
    maySee: (solver, uid) => {
      const standing = standingOf(solver)
      if (standing === 'full' || standing === 'yields') return true
      if (isBarred(solver, uid)) return false
      // a solver that paid less than promised would do so again
      return standing === 'returned' || (suspensions.get(solver)?.reason === 'timeout' && isOpen(uid))
    },
    describeStanding: (solver) => {
      const suspension = suspensions.get(solver)
      if (suspension) return describeSuspension(suspension)
      return isLaden(solver) ? 'maximum number of unsettled wins reached' : ''
    },
    allowances: new Map(
      [...allowances].map(([solver, wins]) => {
        const rankBeyond = (uids: readonly Hex[]) => (uids.every(isOpen) ? ranks.unproven : undefined)
        return [solver, { wins, rankBeyond: unproven.has(solver) ? rankBeyond : () => ranks.yields }]
      }),
    ),
    deadlineBlocksOf: (solver) =>
      unproven.has(solver)
        ? Math.min(deadlineBlocks, Math.max(leastDeadline, Math.floor(deadlineBlocks * unprovenShare)))
        : deadlineBlocks,
  }
}
