import type { NetworkName } from '#shared/networks.ts'
import type { WorkerConfig } from './workerConfig.ts'
import { type NetworkGroup, type WorkerGroup, workerGroups } from './workerGroups.ts'

type Vars = Record<string, string>

/** A solver of the network: a Worker of this deployment with its own vars, or somebody's driver behind a URL. */
export type SolverDeployment = { name: string; address: string } & (
  | { vars: Vars }
  | { url: string; timeoutMs?: number | undefined }
)

export type NetworkDeployment = {
  network: NetworkName
  settings: { DATABASE_URL: string; RPC_URL: string }
  solvers: SolverDeployment[]
  /** further vars per group; they win */
  vars?: Partial<Record<WorkerGroup, Vars>>
}

/**
 * The configurations of all Workers of a deployment: one gateway, then for each network its groups and its solvers, named
 * `<name in wrangler.toml>-<network>` and bound to each other.
 * @param bases the configuration in each group's wrangler.toml
 */
export const deriveWorkerConfigs = (
  bases: Record<WorkerGroup, WorkerConfig>,
  deployments: NetworkDeployment[],
): WorkerConfig[] => {
  const ofNetworks = deployments.flatMap((deployment) => [
    ...groupNames.map((group) => deriveGroup(bases, deployment, group)),
    ...deployment.solvers.flatMap((solver) => ('vars' in solver ? [deriveSolver(bases, deployment, solver)] : [])),
  ])
  const gateway: WorkerConfig = {
    ...bases.gateway,
    vars: { ...bases.gateway.vars, ...Object.assign({}, ...deployments.map(({ vars }) => vars?.gateway)) },
    services: deployments.flatMap(({ network }) =>
      groupNames.map((group) => ({
        binding: `${group}_${network}`.toUpperCase(),
        service: workerName(bases[group], network),
      })),
    ),
  }
  return [gateway, ...ofNetworks]
}

const groupNames = Object.keys(workerGroups) as NetworkGroup[]

const deriveGroup = (
  bases: Record<WorkerGroup, WorkerConfig>,
  { network, settings, solvers, vars }: NetworkDeployment,
  group: NetworkGroup,
): WorkerConfig => {
  const base = bases[group]
  const rules = workerGroups[group]
  const ownSolvers = solvers.filter((solver) => 'vars' in solver)
  return {
    ...base,
    name: workerName(base, network),
    vars: {
      ...base.vars,
      NETWORK: network,
      ...Object.fromEntries(rules.settings.map((setting) => [setting, settings[setting]])),
      ...(rules.asksSolvers ? { SOLVERS: JSON.stringify(solvers.map(toSolverEntry)) } : {}),
      ...vars?.[group],
    },
    services: [
      ...Object.entries(rules.services).map(([binding, other]) => ({
        binding,
        service: workerName(bases[other], network),
      })),
      ...(rules.asksSolvers ? ownSolvers : []).map(({ name }) => ({
        binding: solverBinding(name),
        service: workerName(bases.solver, name, network),
      })),
    ],
  }
}

const deriveSolver = (
  bases: Record<WorkerGroup, WorkerConfig>,
  { network, settings, vars }: NetworkDeployment,
  solver: { name: string; vars: Vars },
): WorkerConfig => ({
  ...bases.solver,
  name: workerName(bases.solver, solver.name, network),
  vars: {
    ...bases.solver.vars,
    NETWORK: network,
    RPC_URL: settings.RPC_URL,
    SOLVER_NAME: solver.name,
    ...solver.vars,
    ...vars?.solver,
  },
})

/** An entry of the setting `SOLVERS`. */
const toSolverEntry = (solver: SolverDeployment) => {
  const { name, address } = solver
  return 'vars' in solver
    ? { name, address, binding: solverBinding(name) }
    : { name, address, url: solver.url, timeoutMs: solver.timeoutMs }
}

const solverBinding = (name: string): string => `SOLVER_${name.toUpperCase().replaceAll('-', '_')}`

const workerName = (base: WorkerConfig, ...suffixes: string[]): string =>
  [base.name, ...suffixes].join('-').replaceAll('_', '-')
