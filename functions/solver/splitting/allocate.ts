import type { Pool } from '../pools/pool.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { usesPool } from './sharesLeg.ts'
import { type Changed, computeMarginal } from './tradeStrand.ts'

/** parts of the amount that are allocated one after the other, the last ones at a finer scale */
export const chunks = 24n
const fineChunks = 8n

type Marginal = { amount: bigint; changed: readonly Pool[] } | undefined

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
    known = known.map((marginal, i) => (usesPool(strands[i] ?? [], pools) ? undefined : marginal))
    parts[index] = (parts[index] ?? 0n) + next
    left -= next
  }
  return parts
}

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
