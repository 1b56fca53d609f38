import type { Database } from '#schema/client.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import type { Network } from '#shared/networks.ts'
import type { Solver } from '#shared/solvers/solverList.ts'

/** What the clock works with; made anew for every tick. */
export type ClockDeps = {
  network: Network
  database: Database
  chain: ChainClient
  solvers: readonly Solver[]
  /** Unix time, milliseconds */
  now: () => number
  /** a random permutation */
  shuffle: <T>(items: readonly T[]) => T[]
  log: (entry: JsonObject) => void
  /** keeps work alive that the tick does not wait for; it must not reject */
  background: (work: Promise<unknown>) => void
  solveTimeMs: number
  auctionIntervalMs: number
  submissionDeadlineBlocks: number
  minValiditySeconds: number
  priceMaxAgeMs: number
  startBlock: number | undefined
}
