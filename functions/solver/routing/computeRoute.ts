import type { Address } from 'viem'
import type { Pool } from '../pools/pool.ts'
import type { Leg } from './buildLegs.ts'
import { computeSwap } from './computeSwap.ts'

/** One swap: `amountIn` of one token of the pool for `amountOut` of the other, atoms. */
export interface Hop {
  pool: Pool
  tokenIn: Address
  tokenOut: Address
  amountIn: bigint
  amountOut: bigint
}

/**
 * Swaps in sequence: the output of each is the input of the next. Each swap of the route's first token begins another
 * strand: those trade one after the other, each with a part of the amount. Empty for a token traded for itself.
 */
export interface SwapRoute {
  hops: Hop[]
  /** atoms of the path's first token */
  amountIn: bigint
  /** atoms of the path's last token */
  amountOut: bigint
}

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

/** The swaps of a route, strand by strand. */
export const listStrands = ({ hops }: SwapRoute): Hop[][] => {
  const strands: Hop[][] = []
  for (const hop of hops) {
    if (hop.tokenIn === hops[0]?.tokenIn) strands.push([hop])
    else strands.at(-1)?.push(hop)
  }
  return strands
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
