import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Hook } from '../appData/parseAppData.ts'
import { hooksTrampolineAbi } from '../chain/hooksTrampolineAbi.ts'

/** A call that the settlement contract makes for an order. `value` is wei, in decimal. */
export type OrderInteraction = { target: Address; value: string; callData: Hex }

/** An interaction in a simulation: without value, because simulated calls never pay. */
export type PlainCall = Pick<OrderInteraction, 'target' | 'callData'>

/**
 * Builds the single call that runs all hooks of a phase in sequence. The settlement contract never calls a hook directly; it
 * calls the trampoline, which holds no funds.
 * @returns an empty array without hooks
 */
export const buildHookInteractions = (hooksTrampoline: Address, hooks: readonly Hook[]): OrderInteraction[] => {
  if (hooks.length === 0) return []
  const callData = encodeFunctionData({ abi: hooksTrampolineAbi, functionName: 'execute', args: [hooks] })
  return [{ target: hooksTrampoline, value: '0', callData }]
}
