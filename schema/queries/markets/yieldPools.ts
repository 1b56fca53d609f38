import { and, desc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { toChunks } from '#shared/toChunks.ts'
import type { Database } from '../../client.ts'
import { yieldPools } from '../../tables/markets/yieldPools.ts'
import { runBatch } from '../fragments/runBatch.ts'

export type YieldPool = Omit<typeof yieldPools.$inferSelect, 'chainId'>
export type NamedYieldPool = YieldPool & { contractAddress: Address }

const rowsOfStatement = 1_000

/** Replaces all pools of a chain in one transaction. */
export const replaceYieldPools = async (
  database: Database,
  chainId: number,
  pools: readonly YieldPool[],
): Promise<void> => {
  const rows = pools.map((pool) => ({ chainId, ...pool }))
  await runBatch(database, [
    database.delete(yieldPools).where(eq(yieldPools.chainId, chainId)),
    ...toChunks(rows, rowsOfStatement).map((part) => database.insert(yieldPools).values(part)),
  ])
}

/**
 * Pools with a known contract, the largest first.
 * @param addresses undefined: all of the chain
 */
export const selectYieldPools = async (
  database: Database,
  chainId: number,
  addresses: readonly Address[],
  limit: number,
): Promise<NamedYieldPool[]> => {
  const { contractAddress } = yieldPools
  const rows = await database
    .select()
    .from(yieldPools)
    .where(
      and(
        eq(yieldPools.chainId, chainId),
        addresses.length > 0 ? inArray(contractAddress, [...addresses]) : isNotNull(contractAddress),
      ),
    )
    .orderBy(desc(yieldPools.tvl), yieldPools.id)
    .limit(limit)
  return rows as NamedYieldPool[]
}

/** @returns project → mean `apr` of its pools, percent, six decimals */
export const selectAverageAprs = async (database: Database, chainId: number): Promise<Record<string, number>> => {
  const rows = await database
    .select({ project: yieldPools.project, apr: sql<string>`round(avg(${yieldPools.apr})::numeric, 6)` })
    .from(yieldPools)
    .where(eq(yieldPools.chainId, chainId))
    .groupBy(yieldPools.project)
    .orderBy(yieldPools.project)
  return Object.fromEntries(rows.map(({ project, apr }) => [project, Number(apr)]))
}
