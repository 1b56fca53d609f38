import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { Simulate } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { FeeRules } from '#shared/fees/feeRules.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'
import type { Solver } from '#shared/solvers/solverList.ts'

/** Dependencies of the clock; created for every tick. */
export type ClockDeps = {
  network: Network
  database: Database
  /** all nodes of the network, one in the place of another */
  chain: ChainClient
  /** each node of the network alone */
  nodes: readonly ChainClient[]
  simulate: Simulate
  solvers: readonly Solver[]
  /** Unix time, milliseconds */
  now: () => number
  /** a random permutation */
  shuffle: <T>(items: readonly T[]) => T[]
  log: (entry: JsonObject) => void
  /** keeps background work of a tick alive; the work must not reject */
  background: (work: Promise<unknown>) => void
  /** wakes the notifier after possible order events; undefined: notifications are disabled */
  notify?: (() => Promise<unknown>) | undefined
  solveTimeMs: number
  submissionDeadlineBlocks: number
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
  /** contracts that place on-chain orders, in lower case */
  onchainOrderContracts: readonly Address[]
  startBlock: number | undefined
  /** first block to reindex after a reorganisation deeper than the stored blocks, or older than `planUndo` undoes */
  reindexFrom: number | undefined
  /** owners whose just-in-time orders count towards a solution's score */
  jitOrderOwners: ReadonlySet<Address>
}
