import type { Address } from 'viem'
import { type Network, nativeSentinel } from '#shared/networks.ts'

/** The ERC-20 token of a market: the wrapped native token for the native one. */
export const toTraded = ({ wrappedNative }: Network, token: Address): Address =>
  token === nativeSentinel ? wrappedNative : token

/** The addresses under which a token of a market is traded: the native token and its wrapped form are one market. */
export const toMarketTokens = (network: Network, token: Address): Address[] => {
  const traded = toTraded(network, token)
  return traded === network.wrappedNative ? [traded, nativeSentinel] : [traded]
}
