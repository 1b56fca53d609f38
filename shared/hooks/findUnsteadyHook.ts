import type { Address } from 'viem'
import type { Hook } from '../appData/parseAppData.ts'
import { encodeAllowance, encodeBalance } from '../chain/calls/balanceCalls.ts'
import { readWord } from '../chain/calls/readWord.ts'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import type { Network } from '../networks.ts'
import { findRevertingHook, type RevertingHook } from './findRevertingHook.ts'
import { buildHookCalls } from './hookCalls.ts'
import type { SimulatedFunds } from './simulateFunds.ts'

/** gas units of one read: sufficient for any token */
const readGas = 1_000_000n

/**
 * Finds the first hook that reverts in either of two consecutive blocks. Solvers simulate a settlement on the latest block
 * and have it mined in the next one: a hook that works in one of the two only lets no order settle.
 * @returns also the owner's funds where the hook reverts in the first of both only; undefined when none reverts
 * @throws SimulationError
 */
export const findUnsteadyHook = async (
  simulate: Simulate,
  network: Pick<Network, 'hooksTrampoline' | 'vaultRelayer'>,
  { owner, sellToken }: { owner: Address; sellToken: Address },
  hooks: readonly Hook[],
  signal: AbortSignal,
): Promise<(RevertingHook & { funds?: SimulatedFunds }) | undefined> => {
  const reverting = await findRevertingHook(simulate, network, hooks, signal)
  if (reverting) return reverting
  const reads = [encodeBalance(owner), encodeAllowance(owner, network.vaultRelayer)]
  const calls = [...buildHookCalls(network, hooks), ...reads.map((data) => ({ to: sellToken, data, gas: readGas }))]
  const { block, results } = await simulate(calls, {}, signal, 'firstBlock')
  const place = results.slice(0, hooks.length).findIndex(({ succeeded }) => !succeeded)
  const hook = hooks[place]
  if (!hook) return undefined
  const [balance, allowance] = results
    .slice(hooks.length)
    .map(({ succeeded, returnData }) => readWord(succeeded ? returnData : undefined))
  return { hook: place, target: hook.target, block, funds: { balance, allowance } }
}
