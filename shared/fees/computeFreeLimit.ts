import type { ExecutedOrder } from '../amounts/computeSurplus.ts'
import { maxOf, minOf } from '../amounts/minMax.ts'
import { mulDivCeil, mulDivFloor } from '../amounts/mulDiv.ts'
import type { QuotedAmounts } from './feePolicy.ts'

/**
 * The amount beyond which an order has a gain that a fee may share, scaled to the executed part:
 *     sell: ⌈ executedSell · b / limitSell ⌉    the gain is what it buys more than that
 *     buy:  ⌊ s · executedBuy / limitBuy ⌋      the gain is what it sells less than that
 * Without a quote b and s are the signed limits. With a quote (q, its network fee taken out) the better of both counts:
 *     b = max(limitBuy, ⌊ (q.buy − ⌊q.fee · q.buy / q.sell⌋) · limitSell / q.sell ⌋)
 *     s = min(limitSell, ⌊ (q.sell + q.fee) · limitBuy / q.buy ⌋)
 * With an empty quote, or one that its fee consumes, the signed limits apply.
 * @returns buy token atoms (sell order) or sell token atoms (buy order)
 * @throws RangeError when the exact side of the signed limit is zero
 */
export const computeFreeLimit = (order: ExecutedOrder, quote?: QuotedAmounts): bigint =>
  order.kind === 'sell'
    ? mulDivCeil(order.executedSell, computeBuyLimit(order, quote), order.limitSell)
    : mulDivFloor(computeSellLimit(order, quote), order.executedBuy, order.limitBuy)

const computeBuyLimit = ({ limitSell, limitBuy }: ExecutedOrder, quote?: QuotedAmounts): bigint => {
  if (!quote || quote.fee >= quote.sellAmount) return limitBuy
  const feeInBuyToken = mulDivFloor(quote.fee, quote.buyAmount, quote.sellAmount)
  const quoted = mulDivFloor(quote.buyAmount - feeInBuyToken, limitSell, quote.sellAmount)
  return maxOf(quoted, limitBuy)
}

const computeSellLimit = ({ limitSell, limitBuy }: ExecutedOrder, quote?: QuotedAmounts): bigint => {
  if (!quote || quote.buyAmount === 0n) return limitSell
  const quoted = mulDivFloor(quote.sellAmount + quote.fee, limitBuy, quote.buyAmount)
  return minOf(quoted, limitSell)
}
