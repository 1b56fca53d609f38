import { inject } from 'vitest'
import { type ChainClient, connectChain } from '#tools/stack/chain/connectChain.ts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'

export type SharedStack = { info: StackInfo; chain: ChainClient }

/**
 * The running stack shared by test files; the first call starts it. A file uses accounts of `createTrader` and tokens
 * of `deployShallowToken`, changes no settings, mines no blocks ahead and reorganises nothing, because other files run
 * at the same time.
 */
export const useSharedStack = async (): Promise<SharedStack> => {
  const response = await fetch(inject('sharedStackUrl'))
  const text = await response.text()
  if (!response.ok) throw new Error(`the shared stack did not start: ${text}`)
  const info = JSON.parse(text) as StackInfo
  return { info, chain: connectChain(info.rpcUrl, info.chainId) }
}
