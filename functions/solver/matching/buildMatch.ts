import type { BatchMarket } from '../batches/batchMarket.ts'
import type { Batch } from '../batches/buildBatch.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import { computeRoute, type SwapRoute } from '../routing/computeRoute.ts'
import type { Rate } from '../routing/computeSpot.ts'
import { computeFairRate } from './computeFairRate.ts'
import { computeMostGiven, invert, type Side, settleAt, sumOf, type Trade, toTrades } from './settleTrades.ts'

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

const abs = (value: bigint): bigint => (value < 0n ? -value : value)
