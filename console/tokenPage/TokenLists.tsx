import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'
import { NetworkOrders } from '../lists/NetworkOrders.tsx'
import { NetworkTrades } from '../lists/NetworkTrades.tsx'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { Token } from '../tokens/token.ts'
import { Tabs } from '../ui/elements/Tabs.tsx'
import { TokenHolders } from './TokenHolders.tsx'

const views = [
  { name: 'trades', label: 'Trades' },
  { name: 'orders', label: 'Orders' },
  { name: 'holders', label: 'Holders' },
] as const

/** Of a page. */
const rows = 10

type View = (typeof views)[number]['name']

/** Trades, orders and holders of a token; the address has the chosen one. */
export const TokenLists = ({ network, token }: { network: Network; token: Token }) => {
  const location = useLocation()
  const view: View = views.find(({ name }) => name === location.query.view)?.name ?? 'trades'
  const choose = (name: View) =>
    location.route(withQuery(location, { view: name === 'trades' ? null : name, cursor: null }))
  return (
    <section class="panel token-lists" aria-label="Lists">
      <Tabs label="Lists" tabs={views} chosen={view} onChoose={choose}>
        {view === 'trades' && <NetworkTrades key={location.url} network={network} token={token.address} limit={rows} />}
        {view === 'orders' && <NetworkOrders key={location.url} network={network} token={token.address} limit={rows} />}
        {view === 'holders' && <TokenHolders network={network} token={token} />}
      </Tabs>
    </section>
  )
}
