import { useLocation } from 'preact-iso'
import { useTitle } from '../browser/useTitle.ts'
import { withQuery } from '../browser/withQuery.ts'
import { useNetworks } from './NetworksProvider.tsx'

/** Shown when the address names a network that this deployment does not have. */
export const UnknownNetworkPage = ({ name }: { name: string }) => {
  const networks = useNetworks()
  const location = useLocation()
  useTitle('Unknown network')
  return (
    <div class="page narrow">
      <h1>Unknown network</h1>
      <div class="notice warning">
        <p>There is no network “{name}” here. The same page on the available networks:</p>
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
