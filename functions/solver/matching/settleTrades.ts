import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { type Batch, isFunded, type Request } from '../batches/buildBatch.ts'
import { buildFill, type Executed, type OrderFill } from '../batches/buildFill.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import type { Leg } from '../routing/buildLegs.ts'
import type { SwapRoute } from '../routing/computeRoute.ts'
import type { Rate } from '../routing/computeSpot.ts'

/** Orders of one direction and their amounts. */
export interface Side {
  requests: readonly Request[]
  /** routes for selling the surplus amount of this side */
  ways: readonly Leg[][]
  /** amounts of its orders without the other side, by UID */
  alone: ReadonlyMap<string, OrderFill>
}

/** An order without its network fee: a sell order gives `amount`, a buy order receives it. */
export interface Trade {
  order: AuctionOrder
  amount: bigint
  fee: bigint
}

/** Sell amount at the order's limit without the network fee, atoms. */
export const computeMostGiven = ({ order, amount, fee }: Trade): bigint =>
  order.kind === 'sell' ? amount : (order.sellAmount * amount) / order.buyAmount - fee

/**
 * The orders of a side, each with its network fee.
 * @param swapGas gas of the swaps that the side pays
 * @returns undefined when an order does not pay for its gas
 */
export const toTrades = (market: BatchMarket, { requests }: Side, swapGas = 0n): Trade[] | undefined => {
  const trades: Trade[] = []
  for (const { order, amount } of requests) {
    const fee = computeOrderFee(market, order, swapGas, amount)
    const traded = fee === undefined ? 0n : amount - (order.kind === 'sell' ? fee : 0n)
    if (fee === undefined || traded <= 0n) return undefined
    trades.push({ order, amount: traded, fee })
  }
  return trades
}

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

/** Total of the sell or buy orders' amounts, atoms. */
export const sumOf = (trades: readonly Trade[], kind: 'sell' | 'buy'): bigint =>
  trades.reduce((sum, { order, amount }) => sum + (order.kind === kind ? amount : 0n), 0n)

/** The rate in the other direction. */
export const invert = ({ amountIn, amountOut }: Rate): Rate => ({ amountIn: amountOut, amountOut: amountIn })
