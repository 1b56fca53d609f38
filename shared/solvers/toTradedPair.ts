import type { Address } from 'viem'
import { nativeSentinel } from '../networks.ts'

/** Key of a directed pair of tokens: A to B and B to A are different pairs. */
export const toPair = (sellToken: Address, buyToken: Address): string => `${sellToken}>${buyToken}`

/**
 * The directed pair that an order trades. The native token and its wrapped form share their liquidity, so they are the
 * same side of a pair.
 */
export const toTradedPair = (
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  wrappedNative: Address,
): string => {
  const wrap = (token: Address) => (token === nativeSentinel ? wrappedNative : token)
  return toPair(wrap(sellToken), wrap(buyToken))
}
