import { computePrice } from '../../ui/ratio/computePrice.ts'
import { formatRatio } from '../../ui/ratio/formatRatio.ts'
import { invert } from '../../ui/ratio/parseRatio.ts'
import type { Draft } from '../draft/draft.ts'
import type { TradablePair } from '../draft/tradableToken.ts'
import { type Quote, toAmounts } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'

/**
 * Price of the offer, `1 WETH = 2,989.85 USDC`, or why it is missing.
 * @param isInverted the bought token is priced in the sold one
 */
export const describePrice = (
  { type }: Draft,
  pair: TradablePair | undefined,
  offer: Offer | null,
  isLoading: boolean,
  isInverted: boolean,
): string => {
  if (offer && pair) return `${type === 'limit' ? 'Market: ' : ''}${toRate(pair, offer.quote, isInverted)}`
  return isLoading ? 'Fetching a live price …' : 'No live price: what you sign'
}

const toRate = ({ sell, buy }: TradablePair, quote: Quote, isInverted: boolean): string => {
  const price = computePrice(toAmounts(quote.amounts.beforeAllFees), { sell: sell.decimals, buy: buy.decimals })
  const [base, other, shown] = isInverted ? [buy, sell, invert(price)] : [sell, buy, price]
  return `1 ${base.symbol ?? 'token'} = ${formatRatio(shown)} ${other.symbol ?? 'tokens'}`
}
