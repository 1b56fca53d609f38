import type { Address } from 'viem'
import type { Hook } from '../appData/parseAppData.ts'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import type { Network } from '../networks.ts'
import { buildHookCalls } from './hookCalls.ts'

export type RevertingHook = { hook: number; target: Address }

/**
 * Finds the first reverting hook. The hooks run one after the other on the newest state.
 * @returns the first hook that reverts, and its index; undefined when none does
 * @throws SimulationError
 */
export const findRevertingHook = async (
  simulate: Simulate,
  network: Pick<Network, 'hooksTrampoline'>,
  hooks: readonly Hook[],
  signal: AbortSignal,
): Promise<RevertingHook | undefined> => {
  const { results } = await simulate(buildHookCalls(network, hooks), {}, signal)
  const place = results.findIndex(({ succeeded }) => !succeeded)
  const reverting = hooks[place]
  return reverting && { hook: place, target: reverting.target }
}
