import type { Market } from '../../market/market.ts'
import type { UsdPrices } from '../../tokens/useUsdPrices.ts'
import type { Draft } from '../draft/draft.ts'
import { toPair } from '../draft/tradableToken.ts'

export type ShownMarket = {
  /** undefined while tokens or prices load */
  market: Market | undefined
  /** mid price of both dollar prices; undefined: not known */
  price: number | undefined
  /** the bought token is priced in the sold one */
  isInverted: boolean
}

/** The market of a form: the dear token is priced in the cheap one, whichever is sold, unless the form says otherwise. */
export const toShownMarket = (draft: Draft, prices: UsdPrices | undefined): ShownMarket => {
  const pair = toPair(draft)
  if (!pair || !prices) return { market: undefined, price: undefined, isInverted: false }
  const [sellUsd, buyUsd] = [prices.get(pair.sell.address), prices.get(pair.buy.address)]
  const ratio = sellUsd && buyUsd ? sellUsd / buyUsd : undefined
  const isInverted = draft.per === 'auto' ? ratio !== undefined && ratio < 1 : draft.per === 'buy'
  return {
    market: isInverted ? { base: pair.buy, quote: pair.sell } : { base: pair.sell, quote: pair.buy },
    price: ratio === undefined ? undefined : isInverted ? 1 / ratio : ratio,
    isInverted,
  }
}
