import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { Token } from '../tokens/token.ts'
import { Tabs } from '../ui/elements/Tabs.tsx'
import { TokenHolders } from './TokenHolders.tsx'
import { TokenOrders } from './TokenOrders.tsx'
import { TokenTrades } from './TokenTrades.tsx'

const views = [
  { name: 'trades', label: 'Trades' },
  { name: 'orders', label: 'Orders' },
  { name: 'holders', label: 'Holders' },
] as const

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
        {view === 'trades' && <TokenTrades key={location.url} network={network} token={token.address} />}
        {view === 'orders' && <TokenOrders key={location.url} network={network} token={token.address} />}
        {view === 'holders' && <TokenHolders network={network} token={token} />}
      </Tabs>
    </section>
  )
}
