import type { Database } from '#schema/client.ts'
import { replaceYieldPools, type YieldPool } from '#schema/queries/markets/yieldPools.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import type { FoundYieldPools } from './findYieldPools.ts'

export type CollectYieldsDeps = {
  findYieldPools: () => Promise<FoundYieldPools>
  database: Database
  log: (entry: JsonObject) => void
}

/**
 * Replaces the stored yields by the current ones. On a failure, or for a network without any pool, the old rows stay.
 * @returns whether it succeeded
 */
export const collectYields = async (deps: CollectYieldsDeps): Promise<boolean> => {
  const found = await deps.findYieldPools()
  if (found.status === 'failed') {
    deps.log({ message: 'yields not collected', reason: found.reason })
    return false
  }
  for (const [network, pools] of found.pools) await replace(deps, network, pools)
  return true
}

const replace = async (deps: CollectYieldsDeps, network: NetworkName, pools: readonly YieldPool[]): Promise<void> => {
  if (pools.length > 0) await replaceYieldPools(deps.database, networks[network].chainId, pools)
  else deps.log({ message: 'yields not collected', network, reason: 'no pools' })
}
