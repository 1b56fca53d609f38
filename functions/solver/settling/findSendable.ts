import type { Hex } from 'viem'
import type { Submission } from './submission.ts'

/**
 * Finds calldata of a submission that passes a simulation. First the one computed for the pools as they are now, which
 * gives the orders at least what was proposed; then the proposed one; last the one that pays pools from the network
 * fees.
 * @param repriced calldata for the pools as they are now, if there is any
 * @returns calldata and gas limit, or why the proposed calldata reverts
 * @throws viem errors when the node does not respond to a simulation
 */
export const findSendable = async (
  { calldata, fallback }: Pick<Submission, 'calldata' | 'fallback'>,
  repriced: Hex | undefined,
  simulate: (data: Hex) => Promise<{ gas: bigint } | { reason: string }>,
): Promise<{ data: Hex; gas: bigint } | { reason: string }> => {
  if (repriced && repriced !== calldata) {
    const simulation = await simulate(repriced)
    if ('gas' in simulation) return { data: repriced, gas: simulation.gas }
  }
  const proposed = await simulate(calldata)
  if ('gas' in proposed) return { data: calldata, gas: proposed.gas }
  const cushioned = fallback ? await simulate(fallback) : proposed
  return fallback && 'gas' in cushioned ? { data: fallback, gas: cushioned.gas } : proposed
}
