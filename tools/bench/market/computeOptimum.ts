import type { Address } from 'viem'
import type { Pool } from '../../../functions/solver/pools/pool.ts'
import type { Leg } from '../../../functions/solver/routing/buildLegs.ts'
import { computeSwap } from '../../../functions/solver/routing/computeSwap.ts'

/** parts into which the amount is divided */
const steps = 300n

/**
 * Computes the most that pools give for an amount: it is sold in 300 small parts, each along the strand that is best
 * after the parts before it, with any number of strands and without any cost of gas.
 * @param strands paths with one pool for each swap, which may share pools
 * @returns atoms of the last token
 */
export const computeOptimum = (strands: readonly Leg[][], amount: bigint): bigint => {
  const changed = new Map<Address, Pool>()
  let total = 0n
  for (let step = 0n; step < steps; step += 1n) {
    const part = (amount * (step + 1n)) / steps - (amount * step) / steps
    if (part === 0n) continue
    let best: { amountOut: bigint; pools: Pool[] } | undefined
    for (const strand of strands) {
      const sale = sellAlong(strand, part, changed)
      if (sale && (!best || sale.amountOut > best.amountOut)) best = sale
    }
    if (!best) return total
    total += best.amountOut
    for (const pool of best.pools) changed.set(pool.address, pool)
  }
  return total
}

const sellAlong = (strand: readonly Leg[], amount: bigint, changed: ReadonlyMap<Address, Pool>) => {
  const pools: Pool[] = []
  let amountOut = amount
  for (const {
    tokenIn,
    pools: [pool],
  } of strand) {
    const swap =
      pool && amountOut > 0n ? computeSwap(changed.get(pool.address) ?? pool, tokenIn, 'sell', amountOut) : undefined
    if (!swap) return undefined
    amountOut = swap.amountOut
    pools.push(swap.pool)
  }
  return { amountOut, pools }
}
