import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'
import { MarketList } from '../market/MarketList.tsx'
import { MarketPanel } from '../market/MarketPanel.tsx'
import { type ListedMarket, useMarkets } from '../market/useMarketData.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { useToken } from '../tokens/useToken.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'

const toId = ({ base, quote }: ListedMarket) => `${base}-${quote}`

/** The markets of a network, and the one that the address names: by default the one with the largest volume. */
export const MarketsView = ({ network }: { network: Network }) => {
  const location = useLocation()
  const { markets, isUnavailable } = useMarkets(network)
  const chosen = markets?.find((market) => toId(market) === location.query.market) ?? markets?.[0]
  const [base, quote] = [useToken(network, chosen?.base ?? ''), useToken(network, chosen?.quote ?? '')]
  const prices = useUsdPrices(network, chosen ? [chosen.base, chosen.quote] : [])
  const market = chosen && base && quote && { base, quote }
  const list = <MarketList network={network} toPath={(one) => withQuery(location, { market: toId(one) })} />
  if (!chosen && (markets || isUnavailable)) return list
  return (
    <MarketPanel network={network} market={market} prices={prices} isLoading={!market} markets={list}>
      <p class="actions">
        {chosen && (
          <a class="button primary" href={paths.tradePair(network.name, chosen.base, chosen.quote)}>
            Trade
          </a>
        )}
      </p>
    </MarketPanel>
  )
}
