import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { Simulate } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { FeeRules } from '#shared/fees/feeRules.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'
import type { Solver } from '#shared/solvers/solverList.ts'

/** What the book uses and its settings. */
export type BookDeps = {
  network: Network
  database: Database
  chain: ChainClient
  simulate: Simulate
  /** sources of native prices */
  solvers: readonly Solver[]
  /** Unix time, milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
  /** extends the life of background work; the work must not reject */
  background: (work: Promise<unknown>) => void
  minValiditySeconds: number
  /** maximum number of open orders that a cut considers */
  maxOrders: number
  /** banned accounts: they trade neither as owner nor as receiver */
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  /** orders whose limit is further from the market are excluded, 1/10000 of the market */
  outOfMarketBps: number
  /** gas that settling one order may take */
  maxGas: bigint
  feeRules: FeeRules
}
