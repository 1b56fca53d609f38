import type { Address, Hex } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import type { ReadAt } from '../pools/readAt.ts'
import type { RepricedSettlement } from '../solutions/repriceSettlement.ts'
import type { Submission } from './submission.ts'
import type { SubmissionDeps } from './submissionDeps.ts'

/** New prices of the settlements that one step sends. */
export interface Repricing {
  /** calldata for the pools behind the settlements sent so far; undefined without any */
  find: (submission: Submission) => Promise<Hex | undefined>
  /** Records that a settlement was sent with this calldata. */
  noteSent: (submission: Submission, data: Hex) => Promise<void>
}

/**
 * Computes settlements again for the pools as they are now. All of them start at the same time, which takes as long as
 * one, and each is computed once more when a settlement sent before it uses one of its pools.
 * @param submissions those that are probably sent; others are computed when they are needed
 * @param at state of the pools when the step begins
 */
export const createRepricing = (
  deps: Pick<SubmissionDeps, 'reprice'>,
  submissions: readonly Submission[],
  at: ReadAt,
): Repricing => {
  const initial = new Map(submissions.map((next) => [next.solutionId, repriceOrNothing(deps, next, at)]))
  const repeated = new Map<number, Promise<RepricedSettlement | undefined>>()
  const changed = new Set<Address>()
  let isUnknown = false
  return {
    find: async (submission) => {
      const started = initial.get(submission.solutionId)
      const first = await started
      if (started && !isUnknown && !first?.pools.some((pool) => changed.has(pool))) return first?.calldata
      const second = repriceOrNothing(deps, submission, { blockTag: 'pending' })
      repeated.set(submission.solutionId, second)
      return (await second)?.calldata
    },
    noteSent: async ({ solutionId }, data) => {
      const repriced = await (repeated.get(solutionId) ?? initial.get(solutionId))
      if (repriced?.calldata !== data) isUnknown = true
      for (const pool of repriced?.pools ?? []) changed.add(pool)
    },
  }
}

/** Pools that cannot be read leave the proposed calldata. */
const repriceOrNothing = async (
  { reprice }: Pick<SubmissionDeps, 'reprice'>,
  submission: Submission,
  at: ReadAt,
): Promise<RepricedSettlement | undefined> => {
  try {
    return await reprice(submission, at)
  } catch (error) {
    const cause = describeError(error)
    console.error(JSON.stringify({ message: 'no new prices', solutionId: submission.solutionId, cause }))
    return undefined
  }
}
