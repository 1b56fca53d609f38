import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'

/** What indexing uses and its settings. */
export type IndexingDeps = {
  network: Network
  database: Database
  /** all nodes of the network, one in the place of another */
  chain: ChainClient
  /** each node of the network alone */
  nodes: readonly ChainClient[]
  log: (entry: JsonObject) => void
  /** Unix time, milliseconds */
  now: () => number
  /** contracts that place on-chain orders, in lower case */
  onchainOrderContracts: readonly Address[]
  unsupportedTokens: ReadonlySet<Address>
  startBlock: number | undefined
  /** first block to reindex after a reorganisation deeper than the stored blocks, or older than `planUndo` undoes */
  reindexFrom: number | undefined
}
