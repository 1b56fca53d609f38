import { useLocation } from 'preact-iso'
import { type Network, useNetworks } from './NetworksProvider.tsx'

/** The network that the URL names, or the only one there is; undefined: every one has to be asked. */
export const useNamedNetwork = (): Network | undefined => {
  const networks = useNetworks()
  const { query } = useLocation()
  return networks.find(({ name }) => name === query.network) ?? (networks.length === 1 ? networks[0] : undefined)
}
