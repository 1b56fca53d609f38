import type { Leg } from '../routing/buildLegs.ts'
import type { Hop, SwapRoute } from '../routing/swapRoute.ts'
import { allocate, chunks } from './allocate.ts'
import { refine } from './refine.ts'
import { type Changed, tradeStrand } from './tradeStrand.ts'

/**
 * Splits an amount over strands, which may share pools: part after part goes to the strand with the best price at that
 * point, then smaller and smaller parts move to a better strand. Last, the strands trade their sums in sequence, exact
 * to the atom.
 * @param strands paths with one pool for each swap
 * @param amount atoms: sold exactly (`sell`) or bought exactly (`buy`)
 * @param tolerance as in `computeRoute`
 * @returns undefined when the strands together cannot trade the amount
 */
export const computeSplit = (
  strands: readonly Leg[][],
  kind: 'sell' | 'buy',
  amount: bigint,
  tolerance: bigint,
): SwapRoute | undefined => {
  const allocated = allocate(strands, kind, amount)
  if (!allocated) return undefined
  const parts = refine(strands, kind, allocated, amount / chunks)
  const changed: Changed = new Map()
  const hops: Hop[] = []
  let [amountIn, amountOut] = [0n, 0n]
  for (const [i, part] of parts.entries()) {
    const strand = part > 0n ? strands[i] : undefined
    if (!strand) continue
    const traded = tradeStrand(strand, kind, part, changed, tolerance)
    const [first, last] = [traded?.hops[0], traded?.hops.at(-1)]
    if (!traded || !first || !last) return undefined
    for (const pool of traded.pools) changed.set(pool.address, pool)
    hops.push(...traded.hops)
    amountIn += first.amountIn
    amountOut += last.amountOut
  }
  return { hops, amountIn, amountOut }
}
