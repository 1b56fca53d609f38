import type { Network } from '../networks/NetworksProvider.tsx'
import { paths } from '../networks/paths.ts'
import { PairLogos } from '../tokens/logos/PairLogos.tsx'
import { useToken } from '../tokens/useToken.ts'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { shorten } from '../ui/shorten.ts'
import { ChangeText } from './ChangeText.tsx'
import { formatMarketPrice, formatVolume } from './market.ts'
import { type ListedMarket, useMarkets } from './useMarketData.ts'
import './market.css'

type Props = {
  network: Network
  /** called with the click that leads to a market */
  onChoose?: () => void
  /** where a market leads; default: its trade form */
  toPath?: (market: ListedMarket) => string
}

/** Pairs of listed tokens with trades of the last day, the largest volume first. */
export const MarketList = ({ network, ...rest }: Props) => {
  const { markets, isUnavailable } = useMarkets(network)
  const usd = useUsdPrices(network, [network.wrappedNative])?.get(network.wrappedNative)
  if (!markets) return <p class="muted">{isUnavailable ? 'The markets are unavailable.' : 'Loading …'}</p>
  if (markets.length === 0) return <p class="muted">No trades of listed tokens in the last 24 hours.</p>
  return (
    <ul class="market-list">
      {markets.map((market) => (
        <Row key={`${market.base} ${market.quote}`} network={network} market={market} usd={usd} {...rest} />
      ))}
    </ul>
  )
}

type RowProps = Props & { market: ListedMarket /** US dollars of the native token */; usd: number | undefined }

const Row = ({ network, market, usd, onChoose, toPath }: RowProps) => {
  const { base, quote, price, change, volume, trades } = market
  const [first, second] = [useToken(network, base), useToken(network, quote)]
  return (
    <li>
      <a href={toPath?.(market) ?? paths.tradePair(network.name, base, quote)} onClick={onChoose}>
        <PairLogos network={network} sell={base} buy={quote} size={24} />
        <span>
          <strong>
            {first?.symbol ?? shorten(base)} / {second?.symbol ?? shorten(quote)}
          </strong>
          <span class="fine">
            {usd === undefined ? '' : `${formatVolume((Number(volume) / 1e18) * usd)} · `}
            {trades} {trades === 1 ? 'trade' : 'trades'}
          </span>
        </span>
        <span class="numeric">
          <span class="number">{price === null ? '–' : formatMarketPrice(price)}</span>
          <ChangeText change={change} />
        </span>
      </a>
    </li>
  )
}
