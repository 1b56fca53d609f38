import { type Address, encodeFunctionData, type Hex } from 'viem'
import type { Hook } from '../appData/parseAppData.ts'
import { hooksTrampolineAbi } from '../chain/hooksTrampolineAbi.ts'

/** A call that the settlement contract makes for an order. `value` is wei, in decimal. */
export type OrderInteraction = { target: Address; value: string; callData: Hex }

/** As far as simulations know it: without value, since none of them pays. */
export type PlainCall = Pick<OrderInteraction, 'target' | 'callData'>

/**
 * The one call that runs all hooks of a phase, in their order. The settlement contract never calls a hook itself: it calls
 * the trampoline, which owns nothing.
 * @returns none without hooks
 */
export const buildHookInteractions = (hooksTrampoline: Address, hooks: readonly Hook[]): OrderInteraction[] => {
  if (hooks.length === 0) return []
  const callData = encodeFunctionData({ abi: hooksTrampolineAbi, functionName: 'execute', args: [hooks] })
  return [{ target: hooksTrampoline, value: '0', callData }]
}
