import type { ComponentChildren } from 'preact'
import type { Network } from '../networks/NetworksProvider.tsx'
import type { UsdPrices } from '../tokens/useUsdPrices.ts'
import { MarketChart } from './MarketChart.tsx'
import { MarketParts } from './MarketParts.tsx'
import type { Market } from './market.ts'

type Props = {
  network: Network
  /** undefined: not known yet */
  market: Market | undefined
  /** of both tokens; undefined: loading */
  prices: UsdPrices | undefined
  isLoading: boolean
  /** the markets that can be chosen */
  markets: ComponentChildren
  /** under the chart */
  children?: ComponentChildren
}

/** A market on a page about it: its chart, and its open book, last trades and other markets beside it. */
export const MarketPanel = ({ network, market, prices, isLoading, markets, children }: Props) => {
  const [base, quote] = [market?.base, market?.quote].map((token) => token && prices?.get(token.address))
  const price = base && quote ? base / quote : undefined
  return (
    <div class="market-panel">
      <MarketChart
        network={network}
        market={market}
        price={price}
        isLoading={isLoading || (market !== undefined && !prices)}
      >
        {children}
      </MarketChart>
      <MarketParts network={network} market={market} price={price} markets={markets} />
    </div>
  )
}
