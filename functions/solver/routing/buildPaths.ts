import type { Address } from 'viem'

/** `direct`: one pool. `multihop`: up to three, through base tokens. */
export type Strategy = 'direct' | 'multihop'

/**
 * All token paths of a trade, ends included, shortest first:
 *     sell → buy,  sell → base → buy,  sell → base → base → buy
 * The path from a token to itself (the wrapped native token for the native one) has one token.
 */
export const buildPaths = (
  sellToken: Address,
  buyToken: Address,
  strategy: Strategy,
  baseTokens: readonly Address[],
): Address[][] => {
  if (sellToken === buyToken) return [[sellToken]]
  const paths: Address[][] = [[sellToken, buyToken]]
  if (strategy === 'direct') return paths
  const bases = baseTokens.filter((token) => token !== sellToken && token !== buyToken)
  for (const base of bases) paths.push([sellToken, base, buyToken])
  for (const first of bases) {
    for (const second of bases) if (first !== second) paths.push([sellToken, first, second, buyToken])
  }
  return paths
}
