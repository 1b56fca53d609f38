import { minOf } from '#shared/amounts/minMax.ts'
import { squareRoot } from '#shared/amounts/squareRoot.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import type { OrderFill } from '../fills/buildFill.ts'
import { invert, isBetterRate, type Rate } from '../routing/rate.ts'
import { computeMostGiven, type Side, type Trade } from './toTrades.ts'

/** scale for precise roots of few atoms */
const rootBits = 64n

/**
 * A rate that satisfies all limits of two sides: that of the native prices, else the geometric mean of both sides'
 * limits.
 * @returns undefined when no rate does
 */
export const computeFairRate = (
  market: BatchMarket,
  selling: readonly Trade[],
  opposite: readonly Trade[],
  forward: Side,
  backward: Side,
): Rate | undefined => {
  const needs = selling.map((trade) => computeNeed(trade, forward.alone))
  const bounds = opposite.map((trade) => invert(computeNeed(trade, backward.alone)))
  const lowest = needs.reduce((a, b) => (isBetterRate(b, a) ? b : a))
  const highest = bounds.reduce((a, b) => (isBetterRate(a, b) ? b : a))
  if (lowest.amountIn <= 0n || highest.amountIn <= 0n || isBetterRate(lowest, highest)) return undefined
  const [sellToken, buyToken] = [selling[0]?.order.sellToken, selling[0]?.order.buyToken]
  const fair = {
    amountIn: (buyToken && market.prices.get(buyToken)) ?? 0n,
    amountOut: (sellToken && market.prices.get(sellToken)) ?? 0n,
  }
  if (fair.amountIn > 0n && isBetterRate(fair, lowest) && isBetterRate(highest, fair)) return fair
  return {
    amountIn: squareRoot((lowest.amountIn * highest.amountIn) << rootBits),
    amountOut: squareRoot((lowest.amountOut * highest.amountOut) << rootBits),
  }
}

/** Minimum rate of an order: its limit, or its rate for the same amount without a match. */
const computeNeed = (trade: Trade, alone: ReadonlyMap<string, OrderFill>): Rate => {
  const { order, amount, fee } = trade
  const known = alone.get(order.uid)
  if (order.kind === 'sell') {
    const limit = ((amount + fee) * order.buyAmount + order.sellAmount - 1n) / order.sellAmount
    const other = known?.executedSell === amount + fee ? known.executedBuy : 0n
    return { amountIn: amount, amountOut: limit > other ? limit : other }
  }
  const limit = computeMostGiven(trade)
  const other = known?.executedBuy === amount ? known.executedSell - fee : limit
  return { amountIn: minOf(limit, other), amountOut: amount }
}
