import type { Network } from '../networks/NetworksProvider.tsx'
import type { Token } from './tokenBook.ts'
import { useTokenLookup } from './useTokenLookup.ts'

/** A token of a network; undefined while it is asked for, and only its address when nobody knows it. */
export const useToken = (network: Network, address: string): Token | undefined => {
  const lookup = useTokenLookup(network, address, [])
  if (lookup.state === 'known') return lookup.token
  return lookup.state === 'loading' ? undefined : { address }
}
