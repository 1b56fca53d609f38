import type { Database } from '#schema/client.ts'
import type { Simulate } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'
import type { Solver } from '#shared/solvers/solverList.ts'

/** What settling uses and its settings. */
export type SettlingDeps = {
  network: Network
  database: Database
  chain: ChainClient
  simulate: Simulate
  solvers: readonly Solver[]
  /** Unix time, milliseconds */
  now: () => number
  log: (entry: JsonObject) => void
  /** extends the life of background work; the work must not reject */
  background: (work: Promise<unknown>) => void
  submissionDeadlineBlocks: number
}
