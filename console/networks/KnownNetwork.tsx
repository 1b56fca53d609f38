import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { useNetworks } from './NetworksProvider.tsx'
import { UnknownNetworkPage } from './UnknownNetworkPage.tsx'

/** Nobody is shown one network who asked for another. */
export const KnownNetwork = ({ children }: { children: ComponentChildren }) => {
  const networks = useNetworks()
  const { network } = useLocation().query
  const isKnown = network === undefined || networks.some(({ name }) => name === network)
  return isKnown ? children : <UnknownNetworkPage name={network} />
}
