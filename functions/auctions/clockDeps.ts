import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { Simulate } from '#shared/chain/simulateCalls.ts'
import type { FeeRules } from '#shared/fees/feeRules.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import type { Solver } from '#shared/solvers/solverList.ts'

/** What the clock works with; made anew for every tick. */
export type ClockDeps = {
  network: Network
  database: Database
  chain: ChainClient
  simulate: Simulate
  solvers: readonly Solver[]
  /** Unix time, milliseconds */
  now: () => number
  /** a random permutation */
  shuffle: <T>(items: readonly T[]) => T[]
  log: (entry: JsonObject) => void
  /** keeps work alive that the tick does not wait for; it must not reject */
  background: (work: Promise<unknown>) => void
  /** says that something may have happened to an order, for whoever tells their accounts; nobody does when undefined */
  notify?: (() => Promise<unknown>) | undefined
  solveTimeMs: number
  auctionIntervalMs: number
  submissionDeadlineBlocks: number
  minValiditySeconds: number
  priceMaxAgeMs: number
  /** nobody on it, as owner or receiver, trades */
  bannedUsers: ReadonlySet<Address>
  unsupportedTokens: ReadonlySet<Address>
  /** an order whose limit is further from the market stays out, 1/10000 of the market */
  outOfMarketBps: number
  /** gas that settling one order may take */
  maxGas: bigint
  /** see `checkPlausible` */
  plausibleRateFactor: number
  feeRules: FeeRules
  /** contracts that place orders on-chain, in lower case */
  onchainOrderContracts: readonly Address[]
  startBlock: number | undefined
  /** where to read the chain again when it was reorganised deeper than `keptBlocks` */
  reindexFrom: number | undefined
  /** owners whose just-in-time orders count towards the score of a solution */
  jitOrderOwners: ReadonlySet<Address>
}
