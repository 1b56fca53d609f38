import { type Address, decodeFunctionData, type Hex } from 'viem'
import type { Hook } from '../appData/parseAppData.ts'
import { hooksTrampolineAbi } from '../chain/hooksTrampolineAbi.ts'

/**
 * Decodes the hooks in calls built by `buildHookInteractions`, in execution order; other calls have no hooks. Addresses are in
 * lower case.
 */
export const readHooks = (interactions: readonly { callData: Hex }[]): Hook[] =>
  interactions.flatMap(({ callData }) => decodeHooks(callData) ?? [])

/** @returns undefined when the call is not one that runs hooks */
export const decodeHooks = (data: Hex): Hook[] | undefined => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: hooksTrampolineAbi, data })
    if (functionName !== 'execute') return undefined
    return args[0].map(({ target, ...hook }) => ({ ...hook, target: target.toLowerCase() as Address }))
  } catch {
    return undefined
  }
}
