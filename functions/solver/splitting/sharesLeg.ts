import type { Pool } from '../pools/pool.ts'
import type { Leg } from '../routing/buildLegs.ts'

/** Whether a strand trades with one of the pools. */
export const usesPool = (strand: readonly Leg[], pools: readonly Pool[]): boolean =>
  strand.some(({ pools: [own] }) => pools.some(({ address }) => address === own?.address))

/** Whether two strands trade with the same pool. */
export const sharesLeg = (strand: readonly Leg[] = [], other: readonly Leg[]): boolean =>
  usesPool(
    strand,
    other.flatMap(({ pools: [pool] }) => pool ?? []),
  )
