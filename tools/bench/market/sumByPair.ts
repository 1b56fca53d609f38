import { computeSignedFee } from '#shared/amounts/computeSignedFee.ts'
import type { DecodedTrade } from '../../../functions/auctions/settlement/decodeSettlement.ts'

/** Amounts by directed pair, before network fees. */
export const sumByPair = (settled: readonly DecodedTrade[]): Map<string, { sold: bigint; bought: bigint }> => {
  const sums = new Map<string, { sold: bigint; bought: bigint }>()
  for (const { order, executedSell, executedBuy, feeInSellToken } of settled) {
    const pair = `${order.sellToken}-${order.buyToken}`
    const { sold, bought } = sums.get(pair) ?? { sold: 0n, bought: 0n }
    const executed = order.kind === 'sell' ? order.sellAmount : order.buyAmount
    const paid = executedSell - computeSignedFee(order, executed) - feeInSellToken
    sums.set(pair, { sold: sold + paid, bought: bought + executedBuy })
  }
  return sums
}
