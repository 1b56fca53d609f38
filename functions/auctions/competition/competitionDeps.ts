import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Network } from '#shared/networks.ts'
import type { Solver } from '#shared/solvers/solverList.ts'

/** What the competition uses and its settings. */
export type CompetitionDeps = {
  network: Network
  database: Database
  chain: ChainClient
  solvers: readonly Solver[]
  /** Unix time, milliseconds */
  now: () => number
  /** a random permutation */
  shuffle: <T>(items: readonly T[]) => T[]
  log: (entry: JsonObject) => void
  /** extends the life of background work; the work must not reject */
  background: (work: Promise<unknown>) => void
  solveTimeMs: number
  /** owners whose just-in-time orders count towards a solution's score */
  jitOrderOwners: ReadonlySet<Address>
  /** `HIDE_COMPETITION_BEFORE_DEADLINE`: losers are not notified, because the notice has the winner and its score */
  hideBeforeDeadline: boolean
}
