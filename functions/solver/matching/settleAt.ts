import { type Batch, isFunded } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import { buildFill, type OrderFill } from '../fills/buildFill.ts'
import type { Executed } from '../fills/executed.ts'
import { invert, type Rate } from '../routing/rate.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'
import type { Trade } from './toTrades.ts'

/**
 * Fills both sides at a rate between their sell tokens, and sells the rest along a route.
 * @returns undefined when an order is below its limit, or an owner or the settlement contract lacks tokens
 */
export const settleAt = (
  market: BatchMarket,
  selling: readonly Trade[],
  opposite: readonly Trade[],
  rate: Rate,
  route: SwapRoute,
): Batch | undefined => {
  if (rate.amountIn <= 0n || rate.amountOut <= 0n) return undefined
  const sold = executeAt(selling, rate)
  const bought = executeAt(opposite, invert(rate))
  if (sold.given < bought.taken + route.amountIn || bought.given + route.amountOut < sold.taken) return undefined
  const fills: OrderFill[] = []
  for (const { trade, gross } of [...sold.trades, ...bought.trades]) {
    const buyPrice = market.prices.get(trade.order.buyToken)
    // a reduced fill pays a smaller part of a signed fee
    if (computeOrderFee(market, trade.order, 0n, trade.amount) === undefined) return undefined
    const fill = buyPrice && buildFill(trade.order, gross, trade.fee, buyPrice)
    if (!fill) return undefined
    fills.push(fill)
  }
  const [first] = fills
  if (!first || !isFunded(market, fills)) return undefined
  const { sellToken, buyToken } = first.order
  const score = fills.reduce((sum, fill) => sum + fill.score, 0n)
  return { sellToken, buyToken, fills, rate, route, tolerance: market.tolerance, score }
}

const executeAt = (
  trades: readonly Trade[],
  { amountIn, amountOut }: Rate,
): { given: bigint; taken: bigint; trades: { trade: Trade; gross: Executed }[] } => {
  let [given, taken] = [0n, 0n]
  const executed = trades.map((trade) => {
    const { order, amount, fee } = trade
    const paid = order.kind === 'sell' ? amount : (amount * amountIn + amountOut - 1n) / amountOut
    const received = order.kind === 'sell' ? (amount * amountOut) / amountIn : amount
    given += paid
    taken += received
    return { trade, gross: { executedSell: paid + fee, executedBuy: received } }
  })
  return { given, taken, trades: executed }
}
