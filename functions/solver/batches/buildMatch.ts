import { minOf } from '#shared/amounts/minMax.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import { computeRoute, type Route } from '../routing/computeRoute.ts'
import type { Rate } from '../routing/computeSpot.ts'
import { type Batch, computeOrderFee, isFunded, type Market, type Request } from './buildBatch.ts'
import { buildFill, type Executed, type Fill } from './buildFill.ts'

/** Orders of one direction and their amounts. */
export interface Side {
  requests: readonly Request[]
  /** ways to sell for this side what the other side does not take */
  ways: readonly Leg[][]
  /** what its orders get without the other side, by UID */
  alone: ReadonlyMap<string, Fill>
}

/** An order without its network fee: a sell order gives `amount`, a buy order wants it. */
interface Trade {
  order: AuctionOrder
  amount: bigint
  fee: bigint
}

/** more exact than the root of few atoms is */
const rootBits = 64n

const noRoute: Route = { hops: [], amountIn: 0n, amountOut: 0n }

/**
 * Trades orders of opposite directions with each other, all at one price, in every way that serves them all:
 *
 * - exactly: all amounts as they are, at the one price that clears them, without any pool
 * - with a rest: what one side gives more than the other takes is sold to the pools, at the price that it gets there
 * - in part: at the price of the auction's native prices, or where these suit only one side in the geometric middle of what
 *   both sides need; the last order of the larger side is traded in part when it may be
 *
 * Each order pays the gas of its own trade; those whose rest is sold pay for the swaps. Rounding favours the settlement
 * contract, which is never short of an atom.
 * @returns nothing when the amounts do not meet within all limits
 */
export const buildMatch = (market: Market, forward: Side, backward: Side): Batch[] =>
  [
    matchExactly(market, forward, backward),
    matchInPart(market, forward, backward),
    ...forward.ways.map((legs) => matchWithRest(market, forward, backward, legs)),
    ...backward.ways.map((legs) => matchWithRest(market, backward, forward, legs)),
  ].filter((match) => match !== undefined)

/** With x, z of the one token and y, b of the other: x − z is worth b − y. */
const matchExactly = (market: Market, forward: Side, backward: Side): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, forward), toTrades(market, backward)]
  if (!selling || !opposite) return undefined
  const sold = sumOf(selling, 'sell') - sumOf(opposite, 'buy')
  const bought = sumOf(opposite, 'sell') - sumOf(selling, 'buy')
  if (sold * bought <= 0n) return undefined
  return settleAt(market, selling, opposite, { amountIn: abs(sold), amountOut: abs(bought) }, noRoute)
}

/**
 * The largest rest n that can be sold while the other side gets, at the price out(n) / n, no more than what remains:
 *     x − z + (y − b) · n / out(n) − n ≥ 0
 * The clearing price then follows from all that is given and taken, so that nothing but roundings stays in the contract.
 */
const matchWithRest = (market: Market, larger: Side, smaller: Side, legs: Leg[]): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, larger, computeSwapGas(legs)), toTrades(market, smaller)]
  if (!selling || !opposite || legs.length === 0) return undefined
  const [x, y] = [sumOf(selling, 'sell'), sumOf(selling, 'buy')]
  const [b, z] = [sumOf(opposite, 'sell'), sumOf(opposite, 'buy')]
  const leaves = (n: bigint): boolean => {
    const route = computeRoute(legs, 'sell', n)
    return route !== undefined && (x - z - n) * route.amountOut + (y - b) * n >= 0n
  }
  let low = 0n
  let high = selling.reduce((sum, trade) => sum + computeMostGiven(trade), 1n)
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (leaves(middle)) low = middle
    else high = middle
  }
  const route = computeRoute(legs, 'sell', low)
  if (!route) return undefined
  const sold = x - z
  const rate =
    sold > 0n ? { amountIn: sold, amountOut: b + route.amountOut - y } : { amountIn: low - sold, amountOut: y - b }
  return settleAt(market, selling, opposite, rate, route)
}

const matchInPart = (market: Market, forward: Side, backward: Side): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, forward), toTrades(market, backward)]
  const rate = selling && opposite && computeFairRate(market, selling, opposite, forward, backward)
  if (!rate) return undefined
  const { amountIn, amountOut } = rate
  // what the forward side gives more than the other takes, · amountOut, in atoms of its sell token
  const excess =
    (sumOf(selling, 'sell') - sumOf(opposite, 'buy')) * amountOut +
    (sumOf(selling, 'buy') - sumOf(opposite, 'sell')) * amountIn
  return excess >= 0n
    ? settleAt(market, reduceLast(selling, excess, rate), opposite, rate, noRoute)
    : settleAt(market, selling, reduceLast(opposite, -excess, invert(rate)), rate, noRoute)
}

/** Takes what is too much from the last order, rounded up, when it can be traded in part. */
const reduceLast = (trades: readonly Trade[], excess: bigint, { amountIn, amountOut }: Rate): Trade[] => {
  const last = trades.at(-1)
  if (!last?.order.partiallyFillable) return [...trades]
  const unit = last.order.kind === 'sell' ? amountOut : amountIn
  return [...trades.slice(0, -1), { ...last, amount: last.amount - (excess + unit - 1n) / unit }]
}

const computeFairRate = (
  market: Market,
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

/** The least that an order must get for what it gives: its limit, or what it gets for the same amount without a match. */
const computeNeed = (trade: Trade, alone: ReadonlyMap<string, Fill>): Rate => {
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

/** Sell token atoms without the network fee, at the order's limit. */
const computeMostGiven = ({ order, amount, fee }: Trade): bigint =>
  order.kind === 'sell' ? amount : (order.sellAmount * amount) / order.buyAmount - fee

const toTrades = (market: Market, { requests }: Side, swapGas = 0n): Trade[] | undefined => {
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
 * Settles both sides at a rate from the one's sell token to the other's, and a route along it for the rest.
 * @returns undefined when an order is below its limit, an owner short of tokens, or the settlement contract short of an atom
 */
const settleAt = (
  market: Market,
  selling: readonly Trade[],
  opposite: readonly Trade[],
  rate: Rate,
  route: Route,
): Batch | undefined => {
  if (rate.amountIn <= 0n || rate.amountOut <= 0n) return undefined
  const sold = executeAt(selling, rate)
  const bought = executeAt(opposite, invert(rate))
  if (sold.given < bought.taken + route.amountIn || bought.given + route.amountOut < sold.taken) return undefined
  const fills: Fill[] = []
  for (const { trade, gross } of [...sold.trades, ...bought.trades]) {
    const buyPrice = market.prices.get(trade.order.buyToken)
    // a part that was cut down pays less of a signed fee
    if (computeOrderFee(market, trade.order, 0n, trade.amount) === undefined) return undefined
    const fill = buyPrice && buildFill(trade.order, gross, trade.fee, buyPrice)
    if (!fill) return undefined
    fills.push(fill)
  }
  const [first] = fills
  if (!first || !isFunded(market, fills)) return undefined
  const { sellToken, buyToken } = first.order
  return { sellToken, buyToken, fills, rate, route, score: fills.reduce((sum, { score }) => sum + score, 0n) }
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
