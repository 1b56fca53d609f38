import { minOf } from '#shared/amounts/minMax.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { type Batch, isFunded, type Request } from '../batches/buildBatch.ts'
import { buildFill, type Executed, type OrderFill } from '../batches/buildFill.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import { computeRoute, type SwapRoute } from '../routing/computeRoute.ts'
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
interface Trade {
  order: AuctionOrder
  amount: bigint
  fee: bigint
}

/** scale that keeps roots of few atoms precise */
const rootBits = 64n

const noRoute: SwapRoute = { hops: [], amountIn: 0n, amountOut: 0n }

/**
 * Matches orders of opposite directions at one price, in every variant that fills all of them:
 *
 * - exact: full amounts at the one clearing price, without any pool
 * - with a rest: the excess of one side is sold to the pools, at the pools' price
 * - partial: at the auction's native prices, or at the geometric mean of both limits where these satisfy only one side;
 *   the last order of the larger side is filled partially if allowed
 *
 * Each order pays the gas of its own trade; orders with a rest also pay for the swaps. Rounding favours the settlement
 * contract, which never lacks an atom.
 * @returns empty when no price satisfies all limits
 */
export const buildMatch = (market: BatchMarket, forward: Side, backward: Side): Batch[] =>
  [
    matchExactly(market, forward, backward),
    matchInPart(market, forward, backward),
    ...forward.ways.map((legs) => matchWithRest(market, forward, backward, legs)),
    ...backward.ways.map((legs) => matchWithRest(market, backward, forward, legs)),
  ].filter((match) => match !== undefined)

/** With x, z of the one token and y, b of the other: x − z is worth b − y. */
const matchExactly = (market: BatchMarket, forward: Side, backward: Side): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, forward), toTrades(market, backward)]
  if (!selling || !opposite) return undefined
  const sold = sumOf(selling, 'sell') - sumOf(opposite, 'buy')
  const bought = sumOf(opposite, 'sell') - sumOf(selling, 'buy')
  if (sold * bought <= 0n) return undefined
  return settleAt(market, selling, opposite, { amountIn: abs(sold), amountOut: abs(bought) }, noRoute)
}

/**
 * Largest rest n that can be sold such that the other side, at the price out(n) / n, receives at most the remainder:
 *     x − z + (y − b) · n / out(n) − n ≥ 0
 * The clearing price follows from the total amounts of both sides, so that only rounding remainders stay in the
 * contract.
 */
const matchWithRest = (market: BatchMarket, larger: Side, smaller: Side, legs: Leg[]): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, larger, computeSwapGas(legs)), toTrades(market, smaller)]
  if (!selling || !opposite || legs.length === 0) return undefined
  const [x, y] = [sumOf(selling, 'sell'), sumOf(selling, 'buy')]
  const [b, z] = [sumOf(opposite, 'sell'), sumOf(opposite, 'buy')]
  const leaves = (n: bigint): boolean => {
    const route = computeRoute(legs, 'sell', n, market.tolerance)
    return route !== undefined && (x - z - n) * route.amountOut + (y - b) * n >= 0n
  }
  let low = 0n
  let high = selling.reduce((sum, trade) => sum + computeMostGiven(trade), 1n)
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (leaves(middle)) low = middle
    else high = middle
  }
  const route = computeRoute(legs, 'sell', low, market.tolerance)
  if (!route) return undefined
  const sold = x - z
  const rate =
    sold > 0n ? { amountIn: sold, amountOut: b + route.amountOut - y } : { amountIn: low - sold, amountOut: y - b }
  return settleAt(market, selling, opposite, rate, route)
}

const matchInPart = (market: BatchMarket, forward: Side, backward: Side): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, forward), toTrades(market, backward)]
  const rate = selling && opposite && computeFairRate(market, selling, opposite, forward, backward)
  if (!rate) return undefined
  const { amountIn, amountOut } = rate
  // excess of the forward side, · amountOut, in atoms of its sell token
  const excess =
    (sumOf(selling, 'sell') - sumOf(opposite, 'buy')) * amountOut +
    (sumOf(selling, 'buy') - sumOf(opposite, 'sell')) * amountIn
  return excess >= 0n
    ? settleAt(market, reduceLast(selling, excess, rate), opposite, rate, noRoute)
    : settleAt(market, selling, reduceLast(opposite, -excess, invert(rate)), rate, noRoute)
}

/** Reduces the last order by the excess, rounded up, if it is partially fillable. */
const reduceLast = (trades: readonly Trade[], excess: bigint, { amountIn, amountOut }: Rate): Trade[] => {
  const last = trades.at(-1)
  if (!last?.order.partiallyFillable) return [...trades]
  const unit = last.order.kind === 'sell' ? amountOut : amountIn
  return [...trades.slice(0, -1), { ...last, amount: last.amount - (excess + unit - 1n) / unit }]
}

const computeFairRate = (
  market: BatchMarket,
  selling: readonly Trade[],
  opposite: readonly Trade[],
  forward: Side,
  backward: Side,
): Rate | undefined => {
  const needs = selling.map((trade) => computeNeed(trade, forward.alone))
  const bounds = opposite.map((trade) => invert(computeNeed(trade, backward.alone)))
  const lowest = needs.reduce((a, b) => (isLess(a, b) ? b : a))
  const highest = bounds.reduce((a, b) => (isLess(b, a) ? b : a))
  if (lowest.amountIn <= 0n || highest.amountIn <= 0n || isLess(highest, lowest)) return undefined
  const [sellToken, buyToken] = [selling[0]?.order.sellToken, selling[0]?.order.buyToken]
  const fair = {
    amountIn: (buyToken && market.prices.get(buyToken)) ?? 0n,
    amountOut: (sellToken && market.prices.get(sellToken)) ?? 0n,
  }
  if (fair.amountIn > 0n && isLess(lowest, fair) && isLess(fair, highest)) return fair
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

/** Sell amount at the order's limit without the network fee, atoms. */
const computeMostGiven = ({ order, amount, fee }: Trade): bigint =>
  order.kind === 'sell' ? amount : (order.sellAmount * amount) / order.buyAmount - fee

const toTrades = (market: BatchMarket, { requests }: Side, swapGas = 0n): Trade[] | undefined => {
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
const settleAt = (
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

const sumOf = (trades: readonly Trade[], kind: 'sell' | 'buy'): bigint =>
  trades.reduce((sum, { order, amount }) => sum + (order.kind === kind ? amount : 0n), 0n)

const invert = ({ amountIn, amountOut }: Rate): Rate => ({ amountIn: amountOut, amountOut: amountIn })

const isLess = (a: Rate, b: Rate): boolean => a.amountOut * b.amountIn < b.amountOut * a.amountIn

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/** ⌊√n⌋ by Newton's method. */
const squareRoot = (n: bigint): bigint => {
  if (n < 2n) return n
  let root = 1n << BigInt((n.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + n / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
