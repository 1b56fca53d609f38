import type { Address, Hex } from 'viem'
import type { CollectDeps } from './collectSolutions.ts'
import { computeBarredOrders } from './computeBarredOrders.ts'
import { computeStandings } from './computeStandings.ts'
import { describeSuspension } from './describeSuspension.ts'
import type { Participation } from './findParticipation.ts'
import { type Allowance, ranks } from './pickWinners.ts'

export type RuleFacts = {
  participation: Participation
  /** solvers that may settle */
  able: readonly Address[]
  /** see `computeWaiting` */
  waiting: ReadonlyMap<Hex, number>
  /** of the auction */
  block: number
  /** blocks that a proven solver has to settle a win */
  deadlineBlocks: number
}

/** What an auction asks of `collectSolutions`, `pickWinners` and `recordAuction` about solvers. */
export type Rules = Pick<CollectDeps, 'standingOf' | 'rankOf' | 'maySee' | 'describeStanding'> & {
  allowances: ReadonlyMap<Address, Allowance>
  /** blocks that a solver has to settle what it wins */
  deadlineBlocksOf: (solver: Address) => number
}

/** An order is open to suspended solvers, and beyond allowances, after this many blocks in the auctions without a win. */
export const blocksUntilOpen = 2
const leastDeadline = 2
/** of the deadline of a proven solver */
const unprovenShare = 0.4

/**
 * How solvers take part in an auction. A solver suspended for time-outs sees the orders that were not won for two blocks, without
 * those from which it is barred: no pair is left without the solvers that trade it. An unproven solver holds one win at a time, but for
 * orders that were not won for two blocks, and has two blocks or two fifths of the deadline to settle it. It gives
 * way on orders that have failed before, so it holds up an order once.
 */
export const computeRules = ({ participation, able, waiting, block, deadlineBlocks }: RuleFacts): Rules => {
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
      if (uids.some((uid) => isBarred(solver, uid))) return ranks.barred
      const standing = standingOf(solver)
      if (standing === 'out' || standing === 'returned') return ranks.suspended
      if (unproven.has(solver) && (isLaden(solver) || uids.some((uid) => failed.has(uid)))) return ranks.unproven
      return standing === 'full' ? ranks.full : ranks.yields
    },
    maySee: (solver, uid) => {
      const standing = standingOf(solver)
      if (standing === 'full' || standing === 'yields') return true
      if (isBarred(solver, uid)) return false
      // one that pays less than promised would do so again
      return standing === 'returned' || (suspensions.get(solver)?.reason === 'timeout' && isOpen(uid))
    },
    describeStanding: (solver) => {
      const suspension = suspensions.get(solver)
      if (suspension) return describeSuspension(suspension)
      return isLaden(solver) ? 'as many unsettled wins as it may hold' : ''
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
