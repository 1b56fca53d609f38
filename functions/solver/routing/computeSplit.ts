import type { Address } from 'viem'
import type { Pool } from '../pools/pool.ts'
import type { Leg } from './buildLegs.ts'
import { type Hop, type SwapRoute, tolerate } from './computeRoute.ts'
import { computeSwap } from './computeSwap.ts'

/** parts of the amount that are allocated one after the other, the last ones at a finer scale */
const chunks = 24n
const fineChunks = 8n

/** Pools that a trade has changed, by their addresses. */
type Changed = Map<Address, Pool>
type Marginal = { amount: bigint; changed: readonly Pool[] } | undefined

/**
 * Splits an amount over strands, which may share pools: part after part goes to the strand with the best price at that
 * point. Then the strands trade their sums in sequence, exact to the atom.
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
  const parts = allocate(strands, kind, amount)
  if (!parts) return undefined
  const changed: Changed = new Map()
  const hops: Hop[] = []
  let [amountIn, amountOut] = [0n, 0n]
  for (const [i, part] of parts.entries()) {
    const strand = part > 0n ? strands[i] : undefined
    if (!strand) continue
    const traded = trade(strand, kind, part, changed, tolerance)
    const [first, last] = [traded?.hops[0], traded?.hops.at(-1)]
    if (!traded || !first || !last) return undefined
    for (const pool of traded.pools) changed.set(pool.address, pool)
    hops.push(...traded.hops)
    amountIn += first.amountIn
    amountOut += last.amountOut
  }
  return { hops, amountIn, amountOut }
}

/**
 * Allocates an amount to strands.
 * @returns one part for each strand, atoms; undefined when they cannot trade it
 */
export const allocate = (strands: readonly Leg[][], kind: 'sell' | 'buy', amount: bigint): bigint[] | undefined => {
  const parts = strands.map(() => 0n)
  const changed: Changed = new Map()
  const chunk = amount / chunks
  if (chunk === 0n) return undefined
  const fine = chunk / fineChunks || 1n
  let left = amount
  let known: Marginal[] = []
  let size = 0n
  while (left > 0n) {
    // the last chunk of each strand is the one whose place matters
    const next = left > 2n * chunk ? chunk : left > 2n * fine ? fine : left
    if (next !== size) known = []
    size = next
    const best = pickStrand(strands, kind, next, changed, known)
    if (best === undefined) return undefined
    const { index, pools } = best
    for (const pool of pools) changed.set(pool.address, pool)
    known = known.map((marginal, i) => (sharesPool(strands[i] ?? [], pools) ? undefined : marginal))
    parts[index] = (parts[index] ?? 0n) + next
    left -= next
  }
  return parts
}

const failed = { amount: -1n, changed: [] }

const pickStrand = (
  strands: readonly Leg[][],
  kind: 'sell' | 'buy',
  amount: bigint,
  changed: Changed,
  known: Marginal[],
): { index: number; pools: readonly Pool[] } | undefined => {
  let best: { index: number; pools: readonly Pool[]; amount: bigint } | undefined
  for (const [index, strand] of strands.entries()) {
    const marginal = known[index] ?? computeMarginal(strand, kind, amount, changed)
    known[index] = marginal
    if (marginal.amount < 0n) continue
    if (best && (kind === 'sell' ? best.amount >= marginal.amount : best.amount <= marginal.amount)) continue
    best = { index, pools: marginal.changed, amount: marginal.amount }
  }
  return best
}

const computeMarginal = (strand: Leg[], kind: 'sell' | 'buy', amount: bigint, changed: Changed) => {
  const traded = trade(strand, kind, amount, changed, 0n)
  const end = kind === 'sell' ? traded?.hops.at(-1)?.amountOut : traded?.hops[0]?.amountIn
  return traded && end !== undefined ? { amount: end, changed: traded.pools } : failed
}

const trade = (
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
    const swap = pool && computeSwap(changed.get(pool.address) ?? pool, tokenIn, kind, carried)
    const hop =
      swap && tolerate({ pool, tokenIn, tokenOut, amountIn: swap.amountIn, amountOut: swap.amountOut }, kind, share)
    if (!swap || !hop) return undefined
    hops.push(hop)
    pools.push(swap.pool)
    carried = kind === 'sell' ? hop.amountOut : hop.amountIn
  }
  return { hops: kind === 'sell' ? hops : hops.reverse(), pools }
}

const sharesPool = (strand: readonly Leg[], pools: readonly Pool[]): boolean =>
  strand.some(({ pools: [own] }) => pools.some(({ address }) => address === own?.address))
