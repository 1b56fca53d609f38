import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import { settleAt } from './settleAt.ts'
import { computeMostGiven, type Side, sumOf, toTrades } from './toTrades.ts'

/**
 * Largest rest n that can be sold such that the other side, at the price out(n) / n, receives at most the remainder:
 *     x − z + (y − b) · n / out(n) − n ≥ 0
 * The clearing price follows from the total amounts of both sides, so that only rounding remainders stay in the
 * contract.
 */
export const matchWithRest = (market: BatchMarket, larger: Side, smaller: Side, legs: Leg[]): Batch | undefined => {
  const [selling, opposite] = [toTrades(market, larger, legs), toTrades(market, smaller)]
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
