import { compareDescending } from '#shared/amounts/compareDescending.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeSpotAlong } from '../routing/computeSpot.ts'
import { isBetterRate, type Rate } from '../routing/rate.ts'
import { allocate } from './allocate.ts'

/** strands considered for one trade, those with the best prices */
const maxStrands = 16
/** maximum number of strands of a trade: each one costs gas */
const maxParts = 4

/** A path with one pool for each swap, and its rate for an infinitesimal trade. */
export interface Strand {
  legs: Leg[]
  spot: Rate
}

/** All paths with one pool for each swap, best price first. */
export const listStrandsAlong = (ways: readonly Leg[][]): Strand[] =>
  ways
    .flatMap((legs) => legs.reduce<Leg[][]>(extend, [[]]))
    .filter((legs) => legs.length > 0)
    .map((legs) => ({ legs, spot: computeSpotAlong(legs) }))
    .sort((a, b) => (isBetterRate(a.spot, b.spot) ? -1 : isBetterRate(b.spot, a.spot) ? 1 : 0))
    .slice(0, maxStrands)

const extend = (started: Leg[][], leg: Leg): Leg[][] =>
  started.flatMap((legs) => leg.pools.map((pool) => [...legs, { ...leg, pools: [pool] }]))

/**
 * Sets of two to four strands for splitting an amount: those that would receive most of it if all of them took part.
 * @returns empty when one strand takes everything
 */
export const listSplits = (strands: readonly Strand[], kind: 'sell' | 'buy', amount: bigint): Leg[][][] => {
  const all = strands.map(({ legs }) => legs)
  const parts = all.length > 1 ? allocate(all, kind, amount) : undefined
  if (!parts) return []
  const ranked = [...parts.entries()].filter(([, part]) => part > 0n).sort(([, a], [, b]) => compareDescending(a, b))
  const used = ranked.slice(0, maxParts).flatMap(([i]) => [all[i] ?? []])
  return used.slice(1).map((_, i) => used.slice(0, i + 2))
}
