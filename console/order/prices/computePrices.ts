import type { Order } from '../loading/loadOrder.ts'
import type { Exchange } from '../terms/formatPrice.ts'
import { computeQuoteGain, type Gain, type OrderQuote } from './computeQuoteGain.ts'
import type { Fill } from './toWholeFill.ts'

export type OrderPrices = {
  limit: Exchange
  /** amounts of the quote after its network fee; null for an order without a quote */
  quote: Exchange | null
  /** null without a fill */
  executed: Exchange | null
  /** over the signed limit */
  surplus: Gain | null
  /** over the quote before partner fees, which the placer of the order chose; negative when the execution was worse */
  improvement: Gain | null
}

type Terms = Pick<Order, 'kind' | 'sellAmount' | 'buyAmount' | 'feeAmount'> & { quote?: Order['quote'] }

/**
 * Gains of a fill. The gain of a sell order is bought tokens above the limit (or the quote), that of a buy order sold
 * tokens below it, both scaled to the filled part:
 *     limit, sell: bought − ⌈ sold · buyAmount / sellAmount ⌉         buy: ⌊ bought · sellAmount / buyAmount ⌋ − sold
 *     quote, sell: bought − ⌊ sold · quoted buy · (quoted sell − fee) / quoted sell² ⌋
 *            buy:  ⌈ bought · (quoted sell + fee) / quoted buy ⌉ − sold
 * with the quote's network fee, or without it where a sell order signs that fee beside its price. Notifications name
 * the same amounts.
 * @param partnerFees of the fill, atoms of the gained token
 */
export const computePrices = (order: Terms, fill: Fill | null, partnerFees = 0n): OrderPrices => {
  const limit = { sell: BigInt(order.sellAmount), buy: BigInt(order.buyAmount) }
  const quote = order.quote ? toQuoted(order.kind, order.quote) : null
  const bought = BigInt(fill?.buyAmount ?? 0)
  if (!fill || bought === 0n) return { limit, quote, executed: null, surplus: null, improvement: null }
  const executed = { sell: BigInt(fill.sellAmount), buy: bought }
  const sold = BigInt(fill.sellAmountBeforeFees)
  return {
    limit,
    quote,
    executed,
    surplus: computeLimitGain(order.kind, limit, { sell: sold, buy: bought }),
    improvement: order.quote ? addFees(computeQuoteGain(order, order.quote, sold, executed), partnerFees) : null,
  }
}

/** What partners took is no loss against the quote. */
const addFees = (gain: Gain | null, atoms: bigint): Gain | null => gain && { ...gain, atoms: gain.atoms + atoms }

const computeLimitGain = (kind: Terms['kind'], limit: Exchange, { sell, buy }: Exchange): Gain | null => {
  if (limit.sell === 0n || limit.buy === 0n) return null
  if (kind === 'sell') {
    const least = (sell * limit.buy + limit.sell - 1n) / limit.sell
    return { atoms: buy - least, of: least }
  }
  const most = (buy * limit.sell) / limit.buy
  return { atoms: most - sell, of: most }
}

/** Equals the price of the amounts that the quote promises after its fee. */
const toQuoted = (kind: Terms['kind'], quote: OrderQuote): Exchange | null => {
  const [sell, buy, fee] = [BigInt(quote.sellAmount), BigInt(quote.buyAmount), BigInt(quote.feeAmount)]
  if (sell === 0n || buy === 0n) return null
  if (kind === 'buy') return { sell: sell + fee, buy }
  return fee < sell ? { sell, buy: (buy * (sell - fee)) / sell } : null
}
