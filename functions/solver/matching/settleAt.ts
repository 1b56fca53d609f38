import { type Batch, isFunded } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { computeNeededFee, computeOrderFee } from '../batches/computeOrderFee.ts'
import { convertFees, coversFees } from '../batches/convertFees.ts'
import { buildFill, type OrderFill } from '../fills/buildFill.ts'
import { computePaid, type Executed } from '../fills/executed.ts'
import { invert, type Rate } from '../routing/rate.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'
import type { Trade } from './toTrades.ts'

/**
 * Fills both sides at a rate between their sell tokens, and sells the rest along a route, and fees that the solver does
 * not retain.
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
  const partly = convertSide(market, sold, route)
  const whole = partly && convertSide(market, bought, partly)
  if (!whole) return undefined
  const { sellToken, buyToken } = first.order
  const score = fills.reduce((sum, fill) => sum + fill.score, 0n)
  return { sellToken, buyToken, fills, rate, route: whole, tolerance: market.tolerance, score }
}

/** Adds the sale of one side's fees to the route; undefined when that brings less than the side's gas costs. */
const convertSide = (market: BatchMarket, { given, trades }: ExecutedSide, route: SwapRoute): SwapRoute | undefined => {
  const sellToken = trades[0]?.trade.order.sellToken
  if (!sellToken || market.feeTokens.has(sellToken)) return route
  const fees = trades.reduce((sum, { trade, gross }) => sum + computePaid({ order: trade.order, ...gross }), -given)
  const needed = trades.reduce((sum, { trade: { order, fee } }) => sum + computeNeededFee(market, order, fee, 0n), 0n)
  const converted = convertFees(market, route, sellToken, fees)
  return converted && coversFees(converted.worth, needed, market.prices.get(sellToken) ?? 0n)
    ? converted.route
    : undefined
}

interface ExecutedSide {
  /** what the orders give without fees, and take, atoms */
  given: bigint
  taken: bigint
  trades: { trade: Trade; gross: Executed }[]
}

const executeAt = (trades: readonly Trade[], { amountIn, amountOut }: Rate): ExecutedSide => {
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
