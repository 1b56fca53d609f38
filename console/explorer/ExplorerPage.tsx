import { useLocation } from 'preact-iso'
import { useTitle } from '../browser/useTitle.ts'
import { withQuery } from '../browser/withQuery.ts'
import { useNetwork } from '../networks/NetworksProvider.tsx'
import { Tabs } from '../ui/elements/Tabs.tsx'
import { AuctionList } from './AuctionList.tsx'
import { MarketsView } from './MarketsView.tsx'
import { OrdersView } from './OrdersView.tsx'
import { SolverBoard } from './SolverBoard.tsx'
import { StatisticsTiles } from './StatisticsTiles.tsx'
import { TokenBoard } from './TokenBoard.tsx'
import { TradesView } from './TradesView.tsx'
import './explorer.css'

const views = [
  { name: 'orders', label: 'Orders' },
  { name: 'trades', label: 'Trades' },
  { name: 'auctions', label: 'Auctions' },
  { name: 'solvers', label: 'Solvers' },
  { name: 'markets', label: 'Markets' },
  { name: 'tokens', label: 'Tokens' },
] as const

type View = (typeof views)[number]['name']

/** Parameters that belong to one view; another view begins without them. */
const ofView = { status: null, kind: null, token: null, market: null, cursor: null }

/** `/explore`: totals of a network, and its orders, trades, auctions and solvers. The address has the whole state. */
export const ExplorerPage = () => {
  const network = useNetwork()
  const location = useLocation()
  const view: View = views.find(({ name }) => name === location.query.view)?.name ?? 'orders'
  useTitle('Explore')
  const choose = (name: View) =>
    location.route(withQuery(location, { ...ofView, view: name === 'orders' ? null : name }))
  const key = `${network.name} ${location.url}`
  return (
    <div class="page explorer">
      <div class="page-head">
        <h1>Explore {network.label}</h1>
      </div>
      <StatisticsTiles key={network.name} network={network} />
      <section class="panel" aria-label="Lists">
        <Tabs label="Lists" tabs={views} chosen={view} onChoose={choose}>
          {view === 'orders' && <OrdersView key={key} network={network} />}
          {view === 'trades' && <TradesView key={key} network={network} />}
          {view === 'auctions' && <AuctionList key={key} network={network} />}
          {view === 'solvers' && <SolverBoard key={key} network={network} />}
          {view === 'markets' && <MarketsView network={network} />}
          {view === 'tokens' && <TokenBoard key={key} network={network} />}
        </Tabs>
      </section>
    </div>
  )
}
