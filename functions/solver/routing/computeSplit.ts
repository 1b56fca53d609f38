import type { Address } from 'viem'
import type { Pool } from '../pools/pool.ts'
import type { Leg } from './buildLegs.ts'
import { type Hop, type SwapRoute, tolerate } from './computeRoute.ts'
import { computeSwap } from './computeSwap.ts'

/** parts of the amount that are allocated one after the other, the last ones at a finer scale */
const chunks = 24n
const fineChunks = 8n
/** parts of a chunk that still move to a better strand */
const refinedChunks = 64n
/** of one size between two strands */
const maxMoves = 2

/** Pools that a trade has changed, by their addresses. */
type Changed = Map<Address, Pool>
type Marginal = { amount: bigint; changed: readonly Pool[] } | undefined

/**
 * Splits an amount over strands, which may share pools: part after part goes to the strand with the best price at that
 * point, then smaller and smaller parts move to a better strand. Last, the strands trade their sums in sequence, exact to
 * the atom.
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

/**
 * Moves ever smaller parts from one strand to another while both together improve: a part that was allocated as the best
 * one on average may end at a bad price. Strands that share pools keep their parts.
 * @param chunk size of the allocated parts, atoms
 */
const refine = (
  strands: readonly Leg[][],
  kind: 'sell' | 'buy',
  allocated: readonly bigint[],
  chunk: bigint,
): bigint[] => {
  const parts = [...allocated]
  const free = [...strands.keys()].filter((i) => !strands.some((other, j) => j !== i && sharesLeg(strands[i], other)))
  const known = strands.map(() => new Map([[0n, 0n]]))
  const computeEnd = (index: number, part: bigint): bigint | undefined => {
    const values = known[index]
    const value = values?.get(part) ?? computeMarginal(strands[index] ?? [], kind, part, new Map()).amount
    values?.set(part, value)
    return value < 0n ? undefined : value
  }
  const isBetter = (from: number, to: number, step: bigint): boolean => {
    const [given = 0n, taken = 0n] = [parts[from], parts[to]]
    if (given < step) return false
    const [oldFrom, oldTo] = [computeEnd(from, given), computeEnd(to, taken)]
    const [newFrom, newTo] = [computeEnd(from, given - step), computeEnd(to, taken + step)]
    if (oldFrom === undefined || oldTo === undefined || newFrom === undefined || newTo === undefined) return false
    return kind === 'sell' ? newFrom + newTo > oldFrom + oldTo : newFrom + newTo < oldFrom + oldTo
  }
  for (let step = chunk / 2n; step > 0n && step * refinedChunks >= chunk; step /= 2n) {
    for (const from of free) {
      for (const to of free) {
        for (let moves = 0; moves < maxMoves && from !== to && isBetter(from, to, step); moves += 1) {
          parts[from] = (parts[from] ?? 0n) - step
          parts[to] = (parts[to] ?? 0n) + step
        }
      }
    }
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

const sharesPool = (strand: readonly Leg[], pools: readonly Pool[]): boolean =>
  strand.some(({ pools: [own] }) => pools.some(({ address }) => address === own?.address))

const sharesLeg = (strand: readonly Leg[] = [], other: readonly Leg[]): boolean =>
  sharesPool(
    strand,
    other.flatMap(({ pools: [pool] }) => pool ?? []),
  )
