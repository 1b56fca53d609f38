import { computePrice } from '../../ui/ratio/computePrice.ts'
import { formatRatio } from '../../ui/ratio/formatRatio.ts'
import type { Draft } from '../draft/draft.ts'
import type { TradablePair } from '../draft/tradableToken.ts'
import { type Quote, toAmounts } from '../quote/quote.ts'
import type { Offer } from '../quote/useQuote.ts'

/** Price of the offer, `1 WETH = 2,989.85 USDC`, or why it is missing. */
export const describePrice = (
  { type }: Draft,
  pair: TradablePair | undefined,
  offer: Offer | null,
  isLoading: boolean,
): string => {
  if (offer && pair) return `${type === 'limit' ? 'Market: ' : ''}${toRate(pair, offer.quote)}`
  return isLoading ? 'Fetching a live price …' : 'No live price: what you sign'
}

const toRate = ({ sell, buy }: TradablePair, quote: Quote): string => {
  const price = computePrice(toAmounts(quote.amounts.beforeAllFees), { sell: sell.decimals, buy: buy.decimals })
  return `1 ${sell.symbol ?? 'token'} = ${formatRatio(price)} ${buy.symbol ?? 'tokens'}`
}
