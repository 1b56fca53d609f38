import type { Address } from 'viem'
import type { Pool } from '../pools/pool.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { tolerate } from '../routing/computeRoute.ts'
import { computeSwap } from '../routing/computeSwap.ts'
import type { Hop } from '../routing/swapRoute.ts'

/** Pools that a trade has changed, by their addresses. */
export type Changed = Map<Address, Pool>

const failed = { amount: -1n, changed: [] }

/**
 * Proceeds or cost of a further amount along a strand, and the pools after it; a negative amount when it cannot be
 * traded.
 */
export const computeMarginal = (strand: Leg[], kind: 'sell' | 'buy', amount: bigint, changed: Changed) => {
  const traded = tradeStrand(strand, kind, amount, changed, 0n)
  const end = kind === 'sell' ? traded?.hops.at(-1)?.amountOut : traded?.hops[0]?.amountIn
  return traded && end !== undefined ? { amount: end, changed: traded.pools } : failed
}

/**
 * Trades an amount along a strand.
 * @param changed pools that earlier trades of the same split have changed
 * @param tolerance as in `computeRoute`
 * @returns the swaps, and the pools after them; undefined when one of them cannot trade the amount
 */
export const tradeStrand = (
  strand: readonly Leg[],
  kind: 'sell' | 'buy',
  amount: bigint,
  changed: Changed,
  tolerance: bigint,
): { hops: Hop[]; pools: Pool[] } | undefined => {
  const share = { tolerance, of: BigInt(strand.length) }
  const hops: Hop[] = []
  const pools: Pool[] = []
  let carried = amount
  for (const {
    tokenIn,
    tokenOut,
    pools: [pool],
  } of kind === 'sell' ? strand : strand.toReversed()) {
    const current = pool && (changed.get(pool.address) ?? pool)
    const swap = current && computeSwap(current, tokenIn, kind, carried)
    const hop =
      swap && tolerate({ pool, tokenIn, tokenOut, amountIn: swap.amountIn, amountOut: swap.amountOut }, kind, share)
    if (!swap || !hop) return undefined
    hops.push(hop)
    // a router sells what it receives, so a concentrated pool may go past the amount that is bought
    const sold =
      kind === 'buy' && current.kind === 'concentrated' ? computeSwap(current, tokenIn, 'sell', swap.amountIn) : swap
    pools.push((sold ?? swap).pool)
    carried = kind === 'sell' ? hop.amountOut : hop.amountIn
  }
  return { hops: kind === 'sell' ? hops : hops.reverse(), pools }
}
