import type { NetworkName } from '#shared/networks.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import type { WorkerGroup } from './workerGroups.ts'

/** Vars of a Worker by name. */
export type Vars = Record<string, string>

/** A solver of the network: a Worker of this deployment with its own vars, or an external driver behind a URL. */
export type SolverDeployment = { name: string; address: string } & (
  | { vars: Vars }
  | {
      url: string
      timeoutMs?: number | undefined
      supports?: readonly SolverFeature[] | undefined
      deltas?: boolean | undefined
    }
)

export type NetworkDeployment = {
  network: NetworkName
  settings: { DATABASE_URL: string; RPC_URL: string }
  solvers: SolverDeployment[]
  /** additional vars per group; they override. Fee settings apply to quotes and auctions alike */
  vars?: Partial<Record<WorkerGroup, Vars>>
}
