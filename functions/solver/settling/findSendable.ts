import type { Hex } from 'viem'
import { describeError } from '#shared/http/describeError.ts'
import type { ReadAt } from '../pools/readAt.ts'
import type { SubmissionDeps } from './followSubmission.ts'
import type { Submission } from './settlementStore.ts'

/**
 * Finds calldata of a submission that passes a simulation. First the one computed for the pools as they are now, which
 * gives the orders at least what was proposed; then the proposed one; last the one that pays pools from the network
 * fees.
 * @param at state on which it is simulated
 * @returns calldata and gas limit, or why the proposed calldata reverts
 * @throws viem errors when the node does not respond to a simulation
 */
export const findSendable = async (
  deps: Pick<SubmissionDeps, 'reprice'>,
  submission: Submission,
  at: ReadAt,
  simulate: (data: Hex) => Promise<{ gas: bigint } | { reason: string }>,
): Promise<{ data: Hex; gas: bigint } | { reason: string }> => {
  const { calldata, fallback } = submission
  const repriced = await repriceOrNothing(deps, submission, at)
  if (repriced && repriced !== calldata) {
    const simulation = await simulate(repriced)
    if ('gas' in simulation) return { data: repriced, gas: simulation.gas }
  }
  const proposed = await simulate(calldata)
  if ('gas' in proposed) return { data: calldata, gas: proposed.gas }
  const cushioned = fallback ? await simulate(fallback) : proposed
  return fallback && 'gas' in cushioned ? { data: fallback, gas: cushioned.gas } : proposed
}

/** Pools that cannot be read leave the proposed calldata. */
const repriceOrNothing = async (
  { reprice }: Pick<SubmissionDeps, 'reprice'>,
  submission: Submission,
  at: ReadAt,
): Promise<Hex | undefined> => {
  try {
    return await reprice(submission, at)
  } catch (error) {
    const cause = describeError(error)
    console.error(JSON.stringify({ message: 'no new prices', solutionId: submission.solutionId, cause }))
    return undefined
  }
}
