import type { Database } from '#schema/client.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { networks } from '#shared/networks.ts'
import type { IndexingDeps } from '../../../functions/auctions/indexing/indexingDeps.ts'

/** Dependencies of indexing on the local chain: the settlement contract only, and a discarded log. */
export const buildIndexDeps = (database: Database, chain: ChainClient, startBlock: number): IndexingDeps => ({
  network: networks.sepolia,
  database,
  chain,
  nodes: [chain],
  log: () => undefined,
  now: Date.now,
  startBlock,
  reindexFrom: undefined,
  unsupportedTokens: new Set(),
  onchainOrderContracts: [],
})
