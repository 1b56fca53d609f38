import type { BatchMarket } from '../batches/batchMarket.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'

/** A rest of a ring: what an owner gives beyond the ring is sold to pools for what another owner receives. */
export interface RingRest {
  /** index of the owner whose tokens are sold to the pools */
  from: number
  /** index of the owner who gives the token that the pools give, too */
  to: number
  legs: readonly Leg[]
}

/** What each owner receives, atoms. */
export const computeReceived = (
  given: readonly bigint[],
  { from, to }: RingRest,
  { amountIn, amountOut }: SwapRoute,
): bigint[] =>
  given.map((_, i) => {
    const next = (i + 1) % given.length
    return (given[next] as bigint) - (next === from ? amountIn : 0n) + (next === to ? amountOut : 0n)
  })

/** The largest rest that the pools buy at the ring's price or a better one. */
export const findRest = (
  market: BatchMarket,
  given: readonly bigint[],
  { from, to, legs }: RingRest,
): SwapRoute | undefined => {
  const [larger, smaller] = [given[from] as bigint, given[to] as bigint]
  let [low, high] = [0n, larger]
  let best: SwapRoute | undefined
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    const route = computeRoute(legs, 'sell', middle, market.tolerance)
    if (route && (larger - middle) * route.amountOut >= smaller * middle) [low, best] = [middle, route]
    else high = middle
  }
  return best
}
