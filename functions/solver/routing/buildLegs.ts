import type { Address } from 'viem'
import { type Pool, type Pools, toPairKey } from '../pools/pool.ts'

/** One swap of a path through any of its pools, all of one kind, so that its gas is known before the pool is chosen. */
export interface Leg {
  tokenIn: Address
  tokenOut: Address
  kind: Pool['kind']
  pools: readonly Pool[]
}

/**
 * All sequences of legs along a path, by the pool kinds of adjacent tokens: up to two per swap.
 * @returns empty when a pair has no pool; one empty sequence for a path of one token
 */
export const buildLegs = (pools: Pools, path: readonly Address[]): Leg[][] => {
  let ways: Leg[][] = [[]]
  for (const [i, tokenIn] of path.slice(0, -1).entries()) {
    const tokenOut = path[i + 1]
    if (!tokenOut) return []
    const byKind = Map.groupBy(pools.get(toPairKey(tokenIn, tokenOut)) ?? [], ({ kind }) => kind)
    const legs = [...byKind].map(([kind, ofKind]) => ({ tokenIn, tokenOut, kind, pools: ofKind }))
    ways = ways.flatMap((way) => legs.map((leg) => [...way, leg]))
  }
  return ways
}
