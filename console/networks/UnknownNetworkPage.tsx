import { useLocation } from 'preact-iso'
import { useTitle } from '../browser/useTitle.ts'
import { withQuery } from '../browser/withQuery.ts'
import { useNetworks } from './NetworksProvider.tsx'

/** Shown when the address names a network that this deployment does not have. */
export const UnknownNetworkPage = ({ name }: { name: string }) => {
  const networks = useNetworks()
  const location = useLocation()
  useTitle('No such network')
  return (
    <div class="page">
      <h1>No such network</h1>
      <div class="notice warning">
        <p>This deployment has no network {name}. The same page on those that it has:</p>
        <ul>
          {networks.map(({ name: known, label }) => (
            <li key={known}>
              <a href={withQuery(location, { network: known })}>{label}</a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
