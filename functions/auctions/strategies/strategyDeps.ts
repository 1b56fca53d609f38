import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'

/** What the evaluation of conditional orders uses and its settings. */
export type StrategyDeps = {
  network: Network
  database: Database
  chain: ChainClient
  log: (entry: JsonObject) => void
  /** Unix time, milliseconds */
  now: () => number
  unsupportedTokens: ReadonlySet<Address>
}
