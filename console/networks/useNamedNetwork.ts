import { useLocation } from 'preact-iso'
import { type Network, useNetworks } from './NetworksProvider.tsx'

/** The network of the URL, or the only one; undefined: all networks must be searched. */
export const useNamedNetwork = (): Network | undefined => {
  const networks = useNetworks()
  const { query } = useLocation()
  return networks.find(({ name }) => name === query.network) ?? (networks.length === 1 ? networks[0] : undefined)
}
