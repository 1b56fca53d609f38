import { minOf } from '../amounts/minMax.ts'

/**
 * Part of its owner's funds that an order can still use: sell token atoms, fee included.
 *     usable = min(available, sellAmount + feeAmount − executedSellAmount)
 * @param available sell token atoms that the owner holds and has approved
 */
export const computeUsable = (
  order: { sellAmount: bigint; feeAmount: bigint; executedSellAmount: bigint },
  available: bigint,
): bigint => {
  const left = order.sellAmount + order.feeAmount - order.executedSellAmount
  return left > 0n ? minOf(available, left) : 0n
}
