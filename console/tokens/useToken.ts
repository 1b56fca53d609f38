import type { Network } from '../networks/NetworksProvider.tsx'
import type { Token } from './token.ts'
import { useTokenLookup } from './useTokenLookup.ts'

/** A token of a network; undefined while it loads, and only its address when it is unknown. */
export const useToken = (network: Network, address: string): Token | undefined => {
  const lookup = useTokenLookup(network, address, [])
  if (lookup.state === 'known') return lookup.token
  return lookup.state === 'loading' ? undefined : { address }
}
