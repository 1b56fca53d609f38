import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import { type Exclusion, exclude } from './exclude.ts'

/** Whether solvers must settle the order alone: its settlement, or that of several orders of its account, failed. */
export const isSettledAlone = ({ settlementFailures }: Candidate): boolean =>
  settlementFailures !== null && settlementFailures.failures > 0

/**
 * Excludes an order for some blocks after its settlement reverted, in favour of other orders: never in the auction of
 * the block of its failure or of an earlier one.
 * @param block block of the auction
 */
export const computeFailureExclusion = (candidate: Candidate, block: number): Exclusion | undefined =>
  exclude(candidate, { block }, 'settlement')
