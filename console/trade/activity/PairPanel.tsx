import { useLocation } from 'preact-iso'
import { withQuery } from '../../browser/withQuery.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { formatUsdPrice } from '../../tokens/formatUsdPrice.ts'
import { PairLogos } from '../../tokens/logos/PairLogos.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import { PriceChart } from '../../ui/chart/PriceChart.tsx'
import { computePriceChange } from '../../ui/chart/toPriceSeries.ts'
import { Segmented } from '../../ui/elements/Segmented.tsx'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import type { Draft } from '../draft/draft.ts'
import { toPair } from '../draft/tradableToken.ts'
import { formatChange } from '../quote/formatChange.ts'
import { defaultPriceRange, type PriceRange, priceRanges, readPriceRange } from './priceRanges.ts'
import { usePriceSeries } from './usePriceSeries.ts'

type Props = {
  network: Network
  draft: Draft
  /** tokens are loading */
  isLoading: boolean
  prices: UsdPrices | undefined
}

const significant = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 })
const rangeNames = Object.fromEntries(Object.keys(priceRanges).map((name) => [name, name])) as Record<
  PriceRange,
  string
>

/** The pair of the form with its price and the chart of its past prices; of one height in each state. */
export const PairPanel = ({ network, draft, isLoading, prices }: Props) => {
  const location = useLocation()
  const range = readPriceRange(location.query.range)
  const pair = toPair(draft)
  const [sellUsd, buyUsd] = [prices?.get(pair?.sell.address ?? ''), prices?.get(pair?.buy.address ?? '')]
  const ratio = sellUsd && buyUsd ? sellUsd / buyUsd : undefined
  // a dear token is priced in the cheap one, whichever is sold
  const isInverted = ratio !== undefined && ratio < 1
  const shown = pair && (isInverted ? { base: pair.buy, quote: pair.sell } : { base: pair.sell, quote: pair.buy })
  const price = ratio === undefined ? undefined : isInverted ? 1 / ratio : ratio
  const limit = draft.price && Number(draft.price.numerator) / Number(draft.price.denominator)
  const level = limit === undefined ? undefined : isInverted ? 1 / limit : limit
  const { points, isUnavailable } = usePriceSeries(network, prices && shown, range)
  if (!pair && !isLoading) return null
  const { label, intervalMs } = priceRanges[range]
  const [base, quote] = [shown?.base.symbol ?? 'token', shown?.quote.symbol ?? 'token']
  return (
    <section class="panel pair-panel" aria-label="Market" aria-busy={points === undefined}>
      <div class="pair-head">
        {shown ? (
          <h2>
            <PairLogos network={network} sell={shown.base.address} buy={shown.quote.address} size={32} />
            {base} / {quote}
          </h2>
        ) : (
          <Skeleton width="9rem" />
        )}
        <Segmented
          label="Time range"
          choices={rangeNames}
          value={range}
          onChoose={(name) =>
            location.route(withQuery(location, { range: name === defaultPriceRange ? null : name }), true)
          }
        />
      </div>
      <p class="pair-price">
        <strong class="number">
          {price !== undefined ? significant.format(price) : pair && prices ? '–' : <Skeleton width="8rem" />}
        </strong>
        <span class="muted">{shown && prices ? describePrice(price, base, quote) : '\u00a0'}</span>
      </p>
      <dl class="pair-facts">
        <div>
          <dt>In the {label}</dt>
          <dd class="number">
            {points ? <ChangeText change={computePriceChange(points)} /> : <Skeleton width="4rem" />}
          </dd>
        </div>
        {[pair?.sell, pair?.buy].map((token, index) => (
          <div key={index}>
            <dt>{token ? (token.symbol ?? 'Token') : <Skeleton width="3rem" />}</dt>
            <dd class="number">
              {token && prices ? formatUsdPrice(prices.get(token.address)) : <Skeleton width="4rem" />}
            </dd>
          </div>
        ))}
      </dl>
      <PriceChart
        label={`Price of ${base} in ${quote}, ${label}`}
        points={points ?? []}
        gapMs={intervalMs}
        formatPrice={(value) => significant.format(value)}
        level={level === undefined ? undefined : { price: level, label: `your limit ${significant.format(level)}` }}
      >
        {points ? (
          isUnavailable ? (
            'Past prices are unavailable'
          ) : (
            `No prices in the ${label}`
          )
        ) : (
          <Skeleton width="12rem" />
        )}
      </PriceChart>
    </section>
  )
}

const describePrice = (price: number | undefined, base: string, quote: string): string =>
  price === undefined ? 'No dollar price for this pair' : `${quote} per ${base} · mid price`

const ChangeText = ({ change }: { change: number | undefined }) => {
  if (change === undefined) return '–'
  const text = formatChange(change)
  const tone = { '−': 'bad', '+': 'good' }[text.charAt(0)]
  return tone ? <span class={tone}>{text}</span> : text
}
