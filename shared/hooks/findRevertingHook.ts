import type { Address } from 'viem'
import type { Hook } from '../appData/parseAppData.ts'
import type { Simulate } from '../chain/calls/simulateCalls.ts'
import type { Network } from '../networks.ts'

/** gas of a transaction before its first instruction, calldata aside */
const transactionGas = 21_000n
/** gas of one byte of a transaction's calldata, at most (EIP-7623) */
const byteGas = 40n

/**
 * Finds the first reverting hook. The trampoline does not report it, so each hook is simulated as a call of the trampoline,
 * with its gas limit, in sequence on the newest state.
 * @returns the first hook that reverts, and its index; undefined when none does
 * @throws SimulationError
 */
export const findRevertingHook = async (
  simulate: Simulate,
  { hooksTrampoline }: Pick<Network, 'hooksTrampoline'>,
  hooks: readonly Hook[],
  signal: AbortSignal,
): Promise<{ hook: number; target: Address } | undefined> => {
  const calls = hooks.map(({ target, callData, gasLimit }) => ({
    from: hooksTrampoline,
    to: target,
    data: callData,
    gas: gasLimit + transactionGas + (byteGas * BigInt(callData.length - 2)) / 2n,
  }))
  const { results } = await simulate(calls, {}, signal)
  const place = results.findIndex(({ succeeded }) => !succeeded)
  const reverting = hooks[place]
  return reverting && { hook: place, target: reverting.target }
}
