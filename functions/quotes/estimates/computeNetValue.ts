import type { Rational } from '#shared/amounts/rational.ts'
import type { OrderKind } from '#shared/signing/order.ts'

/**
 * What an estimate is worth to the trader after the gas to settle it, for ranking estimates of the same request:
 *     sell: buyAmount · price − gas · gasPrice        price: wei per buy token atom
 *     buy: −(sellAmount · price + gas · gasPrice)     price: wei per sell token atom
 * @param price native price of the token whose amount is not exact, as the exact fraction of its double
 * @param gasPrice wei per gas unit
 * @returns wei × `price.denominator`: an integer, so that equal is equal and nothing is rounded; larger is better
 */
export const computeNetValue = (
  kind: OrderKind,
  estimate: { sellAmount: bigint; buyAmount: bigint; gas: bigint },
  price: Rational,
  gasPrice: bigint,
): bigint => {
  const gasCost = estimate.gas * gasPrice * price.denominator
  return kind === 'sell'
    ? estimate.buyAmount * price.numerator - gasCost
    : -(estimate.sellAmount * price.numerator + gasCost)
}
