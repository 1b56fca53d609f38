import type { Address } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import { buildPaths, type Strategy } from './buildPaths.ts'

/** `buildPaths` for one strategy, with the native token as the wrapped one; each pair is computed once. */
export const memoizePaths = (
  wrappedNative: Address,
  strategy: Strategy,
  baseTokens: readonly Address[],
): ((sellToken: Address, buyToken: Address) => Address[][]) => {
  const known = new Map<string, Address[][]>()
  return (sellToken, buyToken) => {
    const bought = buyToken === nativeSentinel ? wrappedNative : buyToken
    const key = `${sellToken}${bought}`
    const paths = known.get(key) ?? buildPaths(sellToken, bought, strategy, baseTokens)
    known.set(key, paths)
    return paths
  }
}
