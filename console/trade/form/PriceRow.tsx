import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { NumberInput } from '../../ui/elements/NumberInput.tsx'
import { formatShare } from '../../ui/formatShare.ts'
import { computePrice } from '../../ui/ratio/computePrice.ts'
import { toPlainRatio } from '../../ui/ratio/formatRatio.ts'
import { invert, type Ratio } from '../../ui/ratio/parseRatio.ts'
import type { Draft } from '../draft/draft.ts'
import { toUnit } from '../draft/toUnit.ts'
import type { TradeTerms } from '../draft/tradeTerms.ts'
import type { ChangeTerms } from '../draft/useTradeTerms.ts'
import { computeImprovement } from '../quote/computeImprovement.ts'
import { toExpected } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'

type Props = { terms: TradeTerms; change: ChangeTerms; draft: Draft; offer: Offer | null }

/** Price of a limit order in either direction, and its distance from the market. */
export const PriceRow = ({ terms, change, draft, offer }: Props) => {
  const { sell, buy, kind, limit, faults } = draft
  const id = useId()
  const sellName = sell?.symbol ?? 'sell token'
  const buyName = buy?.symbol ?? 'buy token'
  const expected = offer && toExpected(offer.quote)
  const market = expected && sell && buy ? computePrice(expected, { sell: sell.decimals, buy: buy.decimals }) : null
  const dear = market && market.numerator < market.denominator ? 'buy' : 'sell'
  const per = terms.per === 'auto' ? dear : terms.per
  const takeMarket = (ratio: Ratio) =>
    change({ per, price: toPlainRatio(per === 'sell' ? ratio : invert(ratio), marketDigits) })
  useFirstPrice(terms, market, takeMarket)
  /** a price that is better for the trader than the market's, in the shown unit: percent */
  const takeBetter = (ratio: Ratio, percent: bigint) => {
    const shown = per === 'sell' ? ratio : invert(ratio)
    const share = per === 'sell' ? 100n + percent : 100n - percent
    const moved = { numerator: shown.numerator * share, denominator: shown.denominator * 100n }
    change({ per, price: toPlainRatio(moved, marketDigits) })
  }
  const faultId = faults.price ? `${id}-fault` : undefined
  return (
    <fieldset class="amount-row price-row">
      <legend class="visually-hidden">Limit price</legend>
      <div class="amount-head">
        <label for={id}>Limit price</label>
      </div>
      <div class="amount-fields">
        <NumberInput
          id={id}
          class="amount-input long"
          placeholder="0"
          value={terms.price}
          onValue={(typed) => change({ per, price: typed })}
          aria-invalid={faultId !== undefined}
          aria-describedby={`${faultId ?? ''} ${id}-market`.trim()}
        />
        <select
          aria-label="Unit of the price"
          value={per}
          onChange={(event) => change(toUnit(event.currentTarget.value === 'buy' ? 'buy' : 'sell', draft))}
        >
          <option value="sell">
            {buyName} per {sellName}
          </option>
          <option value="buy">
            {sellName} per {buyName}
          </option>
        </select>
      </div>
      {faults.price && (
        <p id={faultId} class="fault">
          {faults.price}
        </p>
      )}
      <p class="price-presets">
        <button
          type="button"
          aria-label="Use market price"
          disabled={!market}
          onClick={() => market && takeMarket(market)}
        >
          Market
        </button>
        {presets.map((percent) => (
          <button key={percent} type="button" disabled={!market} onClick={() => market && takeBetter(market, percent)}>
            {per === 'sell' ? '+' : '−'}
            {String(percent)} %
          </button>
        ))}
      </p>
      <p id={`${id}-market`} class="amount-value">
        {expected && limit ? describeDistance(computeImprovement(kind, expected, limit)) : '\u00a0'}
      </p>
    </fieldset>
  )
}

/** Percent. */
const presets = [1n, 5n, 10n]
/** Significant digits of the suggested price. */
const marketDigits = 6

/** Suggests a price as soon as one is known; a cleared field stays empty. */
const useFirstPrice = ({ price }: TradeTerms, market: Ratio | null, take: (market: Ratio) => void): void => {
  const isDone = useRef(price !== '')
  // an effect after the next frame would replace a price typed meanwhile
  useLayoutEffect(() => {
    if (isDone.current || !market) return
    isDone.current = true
    if (price === '') take(market)
  })
}

/** Below 0.01 % a price is that of the quote: a suggested one is rounded. */
const noticeable = 10_000n

const describeDistance = ({ atoms, of }: { atoms: bigint; of: bigint }): string => {
  if (atoms * noticeable < of && -atoms * noticeable < of) return 'At the quoted price'
  if (atoms > 0n) return `${formatShare(atoms, of)} better than the quote: fills once the market gets there`
  return `${formatShare(-atoms, of)} worse than the quote: can fill at once`
}
