import type { Address } from 'viem'
import { wrapToken } from '../networks.ts'

/** Key of a directed pair of tokens: A to B and B to A are different pairs. */
export const toPair = (sellToken: Address, buyToken: Address): string => `${sellToken}>${buyToken}`

/**
 * The directed pair that an order trades. The native token and its wrapped form share their liquidity, so they are the
 * same side of a pair.
 */
export const toTradedPair = (
  { sellToken, buyToken }: { sellToken: Address; buyToken: Address },
  wrappedNative: Address,
): string => toPair(wrapToken(sellToken, wrappedNative), wrapToken(buyToken, wrappedNative))
