import type { Address, Hex } from 'viem'
import { maxBackOffBlocks } from '#shared/orders/computeNextSettlementBlock.ts'
import type { Rules } from '../competition/rules.ts'
import { describeSuspension } from './computeSuspension.ts'
import type { Participation, SolverFailure } from './findParticipation.ts'

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

/** After this many blocks in the auctions without a win, an order is open: restrictions to protect others do not hold. */
const blocksUntilOpen = 2
const leastDeadline = 2
/** share of a proven solver's deadline */
const unprovenShare = 0.4

/**
 * Participation of solvers in an auction. A solver suspended for time-outs receives open orders, except those that it
 * failed, so that no pair loses its only solvers. If all solvers are suspended, the one whose suspension ends first
 * participates. An unproven solver has two blocks or two fifths of the deadline to settle.
 */
export const computeRules = (facts: RuleFacts): Omit<Rules, 'findAllowed'> => {
  const { participation, able, waiting, block, deadlineBlocks } = facts
  const { suspensions, allowances, unproven, failures } = participation
  const suspended = able.filter((solver) => suspensions.has(solver))
  const untilOf = (solver: Address) => suspensions.get(solver)?.until ?? 0
  const [first] = suspended.length === able.length ? suspended.sort((a, b) => untilOf(a) - untilOf(b)) : []
  const failedBy = Map.groupBy(
    failures.filter((failure) => block < computeBarEnd(failure, deadlineBlocks)),
    ({ solver }) => solver,
  )
  const hasFailed = (solver: Address, uid: Hex) =>
    failedBy.get(solver)?.some(({ orderUid }) => orderUid === uid) ?? false
  const isOpen = (uid: Hex) => block >= (waiting.get(uid) ?? block) + blocksUntilOpen
  return {
    hasFailed,
    isOpen,
    allowances,
    maySee: (solver, uid) => {
      const suspension = suspensions.get(solver)
      if (!suspension) return true
      if (hasFailed(solver, uid)) return false
      // a solver that paid less than promised would do so again
      return solver === first || (suspension.reason === 'timeout' && isOpen(uid))
    },
    exclusionOf: (solver) => {
      const suspension = suspensions.get(solver)
      if (suspension)
        return { kind: solver === first ? 'yielded' : 'suspended', reason: describeSuspension(suspension) }
      const allowance = allowances.get(solver)
      if (!allowance || allowance.unsettled === 0) return undefined
      return { kind: 'yielded', reason: `may have ${allowance.score} wei of score more unsettled` }
    },
    deadlineBlocksOf: (solver) =>
      unproven.has(solver)
        ? Math.min(deadlineBlocks, Math.max(leastDeadline, Math.floor(deadlineBlocks * unprovenShare)))
        : deadlineBlocks,
  }
}

/** Maximum duration of a bar, as a multiple of the first. */
const maxFactor = 1_024
/** Failures of unknown cause before a solver yields an order: pools move. */
const toleratedFailures = 2

/**
 * End of the period in which a solver yields an order that it failed to other solvers: one period for the first
 * failure that is its fault, or for the third of unknown cause, doubled with each further one:
 *     end = last failure + h · 2^(failures − 1), at most h · 1024;  h = deadline blocks + 1 + maxBackOffBlocks
 * h is the maximum time for which one failed win blocks an order: until the deadline, plus its back-off.
 */
const computeBarEnd = ({ failures, isOwnFault, lastBlock }: SolverFailure, deadlineBlocks: number): number => {
  const counted = failures - (isOwnFault ? 0 : toleratedFailures)
  if (counted <= 0) return 0
  return lastBlock + Math.min(2 ** (counted - 1), maxFactor) * (deadlineBlocks + 1 + maxBackOffBlocks)
}
