import type { Order } from '../loading/loadOrder.ts'
import type { Exchange } from '../terms/formatPrice.ts'

/** Surplus: atoms of the inexact token, and its share of `of`. */
export type Gain = { atoms: bigint; of: bigint }

export type OrderQuote = NonNullable<Order['quote']>

/** Gain of the executed amounts over the quoted ones; `computePrices` has the formula. */
export const computeQuoteGain = (
  { kind, feeAmount }: Pick<Order, 'kind' | 'feeAmount'>,
  quote: OrderQuote,
  sold: bigint,
  executed: Exchange,
): Gain | null => {
  const [sell, buy, fee] = [BigInt(quote.sellAmount), BigInt(quote.buyAmount), BigInt(quote.feeAmount)]
  if (sell === 0n || buy === 0n) return null
  if (kind === 'sell') {
    const traded = BigInt(feeAmount) > 0n ? sell : fee < sell ? sell - fee : 0n
    const quoted = (sold * buy * traded) / (sell * sell)
    return { atoms: executed.buy - quoted, of: quoted }
  }
  const quoted = (executed.buy * (sell + fee) + buy - 1n) / buy
  return { atoms: quoted - executed.sell, of: quoted }
}
