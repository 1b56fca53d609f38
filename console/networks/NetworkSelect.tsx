import { useLocation } from 'preact-iso'
import { type NetworkName, useNetwork, useNetworks } from './NetworksProvider.tsx'
import { paths } from './paths.ts'
import './networkSelect.css'

/** Opens the same page on another network; a page that exists on one network only leads to the trade page. */
export const NetworkSelect = () => {
  const networks = useNetworks()
  const { name } = useNetwork()
  const { path, route } = useLocation()
  const isOfEach = path === '/status' || path.startsWith('/accounts/')
  const toPath = (network: NetworkName) => (isOfEach ? `${path}?network=${network}` : paths.trade(network))
  return (
    <span class={networks.length > 1 ? 'network-select' : 'network-select only'}>
      <select
        aria-label="Network"
        value={name}
        onChange={(event) => route(toPath(event.currentTarget.value as NetworkName))}
      >
        {networks.map((network) => (
          <option key={network.name} value={network.name}>
            {network.label}
          </option>
        ))}
      </select>
    </span>
  )
}
