import type { Leg } from './buildLegs.ts'
import { computeSwap } from './computeSwap.ts'
import type { Hop, SwapRoute } from './swapRoute.ts'

/** unit of tolerances: a whole */
const wholePpm = 1_000_000n

/**
 * Computes the swaps that sell exactly `amount` of the first token (`sell`), or buy exactly `amount` of the last
 * (`buy`), each in the best pool of its leg.
 * @param tolerance millionths by which the pools together may give less (`sell`) or take more (`buy`) than they would
 *   now, spread evenly over the swaps; each share is rounded up
 * @returns undefined when a leg has no pool that can trade the amount
 */
export const computeRoute = (
  legs: readonly Leg[],
  kind: 'sell' | 'buy',
  amount: bigint,
  tolerance: bigint,
): SwapRoute | undefined => {
  if (amount <= 0n) return undefined
  const hops: Hop[] = []
  const share = { tolerance, of: BigInt(legs.length) }
  let carried = amount
  for (const leg of kind === 'sell' ? legs : legs.toReversed()) {
    const best = pickBestHop(leg, kind, carried)
    const hop = best && tolerate(best, kind, share)
    if (!hop) return undefined
    hops.push(hop)
    carried = kind === 'sell' ? hop.amountOut : hop.amountIn
  }
  return kind === 'sell'
    ? { hops, amountIn: amount, amountOut: carried }
    : { hops: hops.reverse(), amountIn: carried, amountOut: amount }
}

/**
 * Applies one of `of` shares of a tolerance to a swap.
 * @returns undefined when nothing is left
 */
export const tolerate = (
  hop: Hop,
  kind: 'sell' | 'buy',
  { tolerance, of }: { tolerance: bigint; of: bigint },
): Hop | undefined => {
  if (tolerance === 0n) return hop
  const whole = wholePpm * of
  const computePart = (amount: bigint) => (amount * tolerance + whole - 1n) / whole
  if (kind === 'buy') return { ...hop, amountIn: hop.amountIn + computePart(hop.amountIn) }
  const amountOut = hop.amountOut - computePart(hop.amountOut)
  return amountOut > 0n ? { ...hop, amountOut } : undefined
}

const pickBestHop = ({ tokenIn, tokenOut, pools }: Leg, kind: 'sell' | 'buy', amount: bigint): Hop | undefined => {
  let best: Hop | undefined
  for (const pool of pools) {
    const swap = computeSwap(pool, tokenIn, kind, amount)
    if (!swap) continue
    const { amountIn, amountOut } = swap
    if (best && (kind === 'sell' ? best.amountOut >= amountOut : best.amountIn <= amountIn)) continue
    best = { pool, tokenIn, tokenOut, amountIn, amountOut }
  }
  return best
}
