import type { ComponentChildren } from 'preact'
import { useLocation } from 'preact-iso'
import { withQuery } from '../browser/withQuery.ts'
import type { Network } from '../networks/NetworksProvider.tsx'
import { PairLogos } from '../tokens/logos/PairLogos.tsx'
import { useUsdPrices } from '../tokens/useUsdPrices.ts'
import { Popover } from '../ui/elements/Popover.tsx'
import { Segmented } from '../ui/elements/Segmented.tsx'
import { Skeleton } from '../ui/elements/Skeleton.tsx'
import { shorten } from '../ui/shorten.ts'
import { ChangeText } from './ChangeText.tsx'
import { buildCandles, type Candle, computeChange } from './chart/buildCandles.ts'
import { CandleChart, type Level } from './chart/CandleChart.tsx'
import { MarketList } from './MarketList.tsx'
import { formatMarketPrice, formatSize, formatVolume, type Market, toWhole } from './market.ts'
import { defaultTimeRange, readTimeRange, type TimeRange, timeRanges } from './timeRanges.ts'
import { toFill } from './toFill.ts'
import { toMarketToken } from './toMarket.ts'
import { useCandles, useTrades } from './useMarketData.ts'
import './market.css'

type Props = {
  network: Network
  /** undefined: not known yet */
  market: Market | undefined
  /** current price; undefined: not known */
  price: number | undefined
  /** prices are loading */
  isLoading: boolean
  /** account whose fills are shown; null: none */
  owner?: string | null
  /** lines over the candles */
  levels?: readonly Level[]
  /** shows the other direction */
  onInvert?: () => void
  children?: ComponentChildren
}

const rangeNames = Object.fromEntries(Object.keys(timeRanges).map((name) => [name, name])) as Record<TimeRange, string>
/** Fills that are drawn at most. */
const maxDots = 100

/** A market: its price now and over time, and its trade of a day. Of one height in each state. */
export const MarketChart = ({
  network,
  market,
  price,
  isLoading,
  owner = null,
  levels = [],
  onInvert,
  children,
}: Props) => {
  const location = useLocation()
  const range = readTimeRange(location.query.range)
  const { label, interval, intervalMs, count, group } = timeRanges[range]
  const { data, failure } = useCandles(network, market, range)
  const fills = useTrades(network, market, { owner, limit: maxDots })
  const usd = useUsdPrices(network, market ? [toMarketToken(market.base.address, network.wrappedNative)] : [])
  const built = buildCandles(data?.candles ?? [], { intervalMs, group })
  const isPending = isLoading || (market !== undefined && !data && !failure)
  const from = Date.parse(data?.since ?? '') || 0
  const to = Math.max(from + intervalMs * count, Date.now())
  const [base, quote] = [market?.base, market?.quote].map((token) => token?.symbol ?? shorten(token?.address ?? ''))
  const volume = built.bars.reduce((sum, bar) => sum + bar.volume, 0)
  const basePrice = market && usd?.get(toMarketToken(market.base.address, network.wrappedNative))
  const whole = market ? toWhole(BigInt(Math.round(volume)), market.base) : 0
  return (
    <section class="panel market-chart" aria-label="Market" aria-busy={isPending}>
      <div class="market-head">
        {market ? (
          <h2>
            <PairLogos network={network} sell={market.base.address} buy={market.quote.address} size={32} />
            <Popover
              label={`${base} / ${quote}: markets`}
              class="bare market-switch"
              button={
                <>
                  {base} / {quote} <span aria-hidden="true">▾</span>
                </>
              }
            >
              {(close) => <MarketList network={network} onChoose={close} />}
            </Popover>
          </h2>
        ) : (
          <Skeleton width="9rem" />
        )}
        <p class="market-price">
          <strong class="number">
            {price !== undefined ? formatMarketPrice(price) : isPending ? <Skeleton width="8rem" /> : '–'}
          </strong>{' '}
          {isPending ? <Skeleton width="4rem" /> : <ChangeText change={computeChange(built.candles)} />}
        </p>
        <dl class="market-facts">
          <Fact name={`Volume, ${label}`}>
            {isPending ? (
              <Skeleton width="4rem" />
            ) : basePrice === undefined ? (
              `${formatSize(whole)} ${base}`
            ) : (
              formatVolume(whole * basePrice)
            )}
          </Fact>
          <Fact name={`Range, ${label}`}>{isPending ? <Skeleton width="6rem" /> : describeRange(built.candles)}</Fact>
        </dl>
      </div>
      <div class="market-note">
        <p class="fine">
          {market && `${quote} per ${base} `}
          {market && onInvert && (
            <button type="button" class="bare market-invert" aria-label="Invert prices" onClick={onInvert}>
              ⇄
            </button>
          )}
          {market && ' · '}mid price of both dollar prices
          {owner !== null && ' · dots are your fills'}
        </p>
        <Segmented
          label="Time range"
          choices={rangeNames}
          value={range}
          onChoose={(name) =>
            location.route(withQuery(location, { range: name === defaultTimeRange ? null : name }), true)
          }
        />
      </div>
      {market && built.candles.length > 1 ? (
        <CandleChart
          key={`${base} ${quote} ${interval}`}
          label={`Price of ${base} in ${quote}, ${label}`}
          candles={built.candles}
          bars={built.bars}
          spanMs={intervalMs * group}
          from={from}
          to={to}
          levels={levels}
          dots={(fills.data ?? [])
            .map((fill) => ({ ...toFill(network, market, fill), time: Date.parse(fill.time) }))
            .filter(({ time }) => time >= from)}
          toVolume={(atoms) => atoms / 10 ** (market.base.decimals ?? 0)}
          unit={base ?? ''}
        />
      ) : (
        <p class="candle-empty muted">
          {isPending ? (
            <Skeleton width="12rem" />
          ) : failure && !data ? (
            'Past prices are unavailable'
          ) : (
            `${built.candles.length === 0 ? 'No prices' : 'Not enough prices for a chart'} in the ${label}`
          )}
        </p>
      )}
      {children}
    </section>
  )
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd class="number">{children}</dd>
  </div>
)

const describeRange = (candles: readonly Candle[]): string =>
  candles.length === 0
    ? '–'
    : `${formatMarketPrice(Math.min(...candles.map(({ low }) => low)))} – ${formatMarketPrice(Math.max(...candles.map(({ high }) => high)))}`
