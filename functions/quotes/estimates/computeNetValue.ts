import type { Rational } from '#shared/amounts/rational.ts'
import type { OrderKind } from '#shared/signing/order.ts'

/**
 * Value of an estimate to the trader net of gas, for ranking estimates of the same request:
 *     sell: buyAmount · price − gas · gasPrice        price: wei per buy token atom
 *     buy: −(sellAmount · price + gas · gasPrice)     price: wei per sell token atom
 * @param price native price of the token whose amount is not exact, as an exact fraction
 * @param gasPrice wei per gas unit
 * @returns wei × `price.denominator`: an integer, so that comparisons are exact; larger is better
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
