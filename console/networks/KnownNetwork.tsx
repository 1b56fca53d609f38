import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useNetworks } from './NetworksProvider.tsx'
import { UnknownNetworkPage } from './UnknownNetworkPage.tsx'

/** Shows an error for an unknown network instead of another network's page. */
export const KnownNetwork = ({ children }: { children: ComponentChildren }) => {
  const networks = useNetworks()
  const { network } = useLocation().query
  const isKnown = network === undefined || networks.some(({ name }) => name === network)
  return isKnown ? children : <UnknownNetworkPage name={network} />
}
