import type { Address } from 'viem'
import { type Network, nativeSentinel, wrapToken } from '#shared/networks.ts'

/** The addresses under which a token of a market is traded: the native token and its wrapped form are one market. */
export const toMarketTokens = (network: Network, token: Address): Address[] => {
  const traded = wrapToken(token, network.wrappedNative)
  return traded === network.wrappedNative ? [traded, nativeSentinel] : [traded]
}
