import type { Network } from '../../networks/NetworksProvider.tsx'
import { PairLogos } from '../../tokens/logos/PairLogos.tsx'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import type { PricePoint } from '../../ui/chart/buildLine.ts'
import { PriceChart } from '../../ui/chart/PriceChart.tsx'
import { Skeleton } from '../../ui/elements/Skeleton.tsx'
import { formatUsd } from '../../ui/formatUsd.ts'
import type { Draft } from '../draft/draft.ts'
import { toPair } from '../draft/tradableToken.ts'

type Props = {
  network: Network
  draft: Draft /** tokens are loading */
  isLoading: boolean
  prices: UsdPrices | undefined
  /** past prices as shown, oldest first; undefined: unknown */
  series?: readonly PricePoint[]
}

const significant = new Intl.NumberFormat('en', { maximumSignificantDigits: 6 })
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hourCycle: 'h23' })

/** The pair of the form with its price, and the line of its past prices if they are known. */
export const PairPanel = ({ network, draft, isLoading, prices, series }: Props) => {
  const pair = toPair(draft)
  const [sellUsd, buyUsd] = [prices?.get(pair?.sell.address ?? ''), prices?.get(pair?.buy.address ?? '')]
  const ratio = sellUsd && buyUsd ? sellUsd / buyUsd : undefined
  // a dear token is priced in the cheap one, whichever is sold
  const isInverted = ratio !== undefined && ratio < 1
  const [base, quote] = isInverted ? [pair?.buy, pair?.sell] : [pair?.sell, pair?.buy]
  const price = ratio === undefined ? undefined : isInverted ? 1 / ratio : ratio
  const limit = draft.price && Number(draft.price.numerator) / Number(draft.price.denominator)
  const level = limit === undefined ? undefined : isInverted ? 1 / limit : limit
  if (!pair || !base || !quote) return isLoading ? <LoadingPair /> : null
  const name = `${base.symbol ?? 'token'} / ${quote.symbol ?? 'token'}`
  return (
    <section class="panel pair-panel" aria-label="Market">
      <div class="pair-head">
        <PairLogos network={network} sell={base.address} buy={quote.address} size={32} />
        <h2>{name}</h2>
      </div>
      <p class="pair-price">
        <strong class="number">
          {price !== undefined ? significant.format(price) : prices ? '–' : <Skeleton width="8rem" />}
        </strong>
        <span class="muted">
          {prices && price === undefined
            ? 'No dollar price for this pair'
            : `${quote.symbol ?? 'token'} per ${base.symbol ?? 'token'} · mid price`}
        </span>
      </p>
      <dl class="pair-facts">
        {[pair.sell, pair.buy].map((token) => (
          <div key={token.address}>
            <dt>{token.symbol ?? 'Token'}</dt>
            <dd class="number">{toDollars(prices?.get(token.address))}</dd>
          </div>
        ))}
      </dl>
      {series && series.length > 1 && (
        <PriceChart
          label={`Price of ${name}`}
          points={series}
          formatPrice={(value) => significant.format(value)}
          formatTime={(time) => clock.format(time)}
          level={level === undefined ? undefined : { price: level, label: `your limit ${significant.format(level)}` }}
        />
      )}
    </section>
  )
}

const toDollars = (price: number | undefined): string => (price === undefined ? '–' : formatUsd(1n, 0, price))

/** Of the same height as the panel with a pair. */
const LoadingPair = () => (
  <section class="panel pair-panel" aria-label="Market" aria-busy="true">
    <div class="pair-head loading-pair">
      <Skeleton width="9rem" />
    </div>
    <p class="pair-price">
      <strong>
        <Skeleton width="8rem" />
      </strong>
    </p>
    <dl class="pair-facts">
      <div>
        <dt>
          <Skeleton width="3rem" />
        </dt>
        <dd>
          <Skeleton width="4rem" />
        </dd>
      </div>
    </dl>
  </section>
)
