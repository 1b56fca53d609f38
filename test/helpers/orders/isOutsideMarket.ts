import type { PlacementFacts } from '#schema/queries/orders/placementFacts.ts'
import type { Order } from '#shared/signing/order.ts'

/**
 * Reference for the SQL of `selectPricing`: whether an order's limit is better than its quote after the network fee, so
 * that it has to wait for a better price. S and B are the order's amounts; s, b, f the quote's sell
 * amount, buy amount and fee:
 *     sell: S · b′ < s · B    b′ = b − ⌊ f · b / s ⌋: the fee is part of the sell amount
 *     buy:  S · b < (s + f) · B
 * Exact integers; only b′ is rounded, in the order's favour. A fee above half of what is sold is outside too.
 */
export const isOutsideMarket = (
  order: Pick<Order, 'kind' | 'sellAmount' | 'buyAmount'>,
  quote: Pick<NonNullable<PlacementFacts['quote']>, 'sellAmount' | 'buyAmount' | 'feeAmount'>,
): boolean => {
  if (order.kind === 'buy') {
    if (quote.feeAmount > quote.sellAmount) return true
    return order.sellAmount * quote.buyAmount < (quote.sellAmount + quote.feeAmount) * order.buyAmount
  }
  if (quote.sellAmount < 2n * quote.feeAmount) return true
  const buyAmountAfterFee = quote.buyAmount - (quote.feeAmount * quote.buyAmount) / quote.sellAmount
  return order.sellAmount * buyAmountAfterFee < quote.sellAmount * order.buyAmount
}
