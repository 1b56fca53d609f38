import type { Network } from '../networks/NetworksProvider.tsx'
import { nativeSentinel } from './nativeSentinel.ts'
import type { Token } from './token.ts'

/** The native token of a network, which has no contract. */
export const toNative = ({ nativeSymbol }: Pick<Network, 'nativeSymbol'>): Token => ({
  address: nativeSentinel,
  symbol: nativeSymbol,
  name: `${nativeSymbol}, the network’s own`,
  decimals: 18,
})
