import type { Address, Hex } from 'viem'
import { maxBackOffBlocks } from '#shared/orders/computeNextSettlementBlock.ts'
import type { Pauses } from '#shared/pauses/pauses.ts'
import type { Rules } from '../competition/rules.ts'
import { describeDebt, describeSuspension } from './computeSuspension.ts'
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
  pauses: Pauses
}

/** After this many blocks in the auctions without a win, an order is open: restrictions to protect others do not hold. */
const blocksUntilOpen = 2
const leastDeadline = 2
/** share of a proven solver's deadline */
const unprovenShare = 0.4

/**
 * Participation of solvers in an auction. A solver suspended for time-outs receives open orders, except those that it
 * failed, so that no pair loses its only solvers. If all solvers are suspended, the one whose suspension ends first
 * participates, one that paid less than promised only when all did. A solver that the operator paused receives nothing. An unproven solver has two blocks or two fifths of
 * the deadline to settle.
 */
export const computeRules = (facts: RuleFacts): Omit<Rules, 'findAllowed'> => {
  const { participation, able, waiting, block, deadlineBlocks, pauses } = facts
  const { suspensions, allowances, unproven, failures, debts } = participation
  const suspended = able.filter((solver) => suspensions.has(solver))
  const untilOf = (solver: Address) => suspensions.get(solver)?.until ?? 0
  const isThief = (solver: Address) => suspensions.get(solver)?.reason === 'mismatch'
  const [first] =
    suspended.length === able.length
      ? suspended.sort((a, b) => Number(isThief(a)) - Number(isThief(b)) || untilOf(a) - untilOf(b))
      : []
  const failedBy = Map.groupBy(failures, ({ orderUid }) => orderUid)
  const barred = failures.filter((failure) => {
    const solversOfOrder = failedBy.get(failure.orderUid)?.length ?? 1
    return block < computeBarEnd(failure, solversOfOrder, deadlineBlocks)
  })
  const bars = new Set(barred.map(({ solver, orderUid }) => `${solver}:${orderUid}`))
  const hasFailed = (solver: Address, uid: Hex) => bars.has(`${solver}:${uid}`)
  const isOpen = (uid: Hex) => block >= (waiting.get(uid) ?? block) + blocksUntilOpen
  return {
    hasFailed,
    isOpen,
    allowances,
    maySee: (solver, uid) => {
      if (pauses.has(`solver:${solver}`)) return false
      const suspension = suspensions.get(solver)
      if (!suspension) return true
      if (hasFailed(solver, uid)) return false
      // a solver that paid less than promised would do so again
      return solver === first || (suspension.reason === 'timeout' && isOpen(uid))
    },
    exclusionOf: (solver) => {
      const paused = pauses.get(`solver:${solver}`)
      if (paused !== undefined) return { kind: 'suspended', reason: `paused by the operator: ${paused}` }
      const suspension = suspensions.get(solver)
      if (suspension)
        return {
          kind: solver === first ? 'yielded' : 'suspended',
          reason: describeSuspension(suspension, debts.get(solver)),
        }
      const allowance = allowances.get(solver)
      if (!allowance || allowance.unsettled === 0) return undefined
      return {
        kind: 'yielded',
        reason: `may have ${allowance.score} wei of score more unsettled${describeDebt(debts.get(solver) ?? 0n)}`,
      }
    },
    deadlineBlocksOf: (solver) =>
      unproven.has(solver)
        ? Math.min(deadlineBlocks, Math.max(leastDeadline, Math.floor(deadlineBlocks * unprovenShare)))
        : deadlineBlocks,
  }
}

/** Maximum duration of a bar, as a multiple of the first. */
const maxFactor = 1_024
/** Weight of a fault, see `settlementFailures`. */
const faultWeight = 12
/** Failures of unknown cause that weigh as much as a fault. */
const unknownPerFault = 3

/**
 * End of the period in which a solver yields an order that it failed to other solvers: one period for the first
 * failure that is its fault, for the third of unknown cause, or for twelve blocks in which it held the order while pools
 * were moved, doubled with each further fault:
 *     end = last failure + h · n · 2^(faults − 1), at most h · n · 1024;  h = deadline blocks + 1 + maxBackOffBlocks
 * h is the maximum time for which one failed win blocks an order: until the deadline, plus its back-off. n is the
 * number of failures that other solvers of the order may have until they yield as well, so that no two take turns.
 */
const computeBarEnd = ({ faults, lastBlock }: SolverFailure, failedBy: number, deadlineBlocks: number): number => {
  const counted = Math.floor(faults / faultWeight)
  if (counted === 0) return 0
  const failuresOfOthers = Math.max(1, unknownPerFault * (failedBy - 1))
  const duration = (deadlineBlocks + 1 + maxBackOffBlocks) * failuresOfOthers
  return lastBlock + Math.min(2 ** (counted - 1), maxFactor) * duration
}
