import { bindToNetworks } from './bindToNetworks.ts'
import { deriveSharedGroup } from './deriveSharedGroup.ts'
import { findFeeVars, isCharging } from './findFeeVars.ts'
import type { NetworkDeployment, SolverDeployment, Vars } from './networkDeployment.ts'
import { pickSettings } from './pickSettings.ts'
import type { RateLimitBinding, WorkerConfig } from './workerConfig.ts'
import {
  type NetworkGroup,
  type SharedWorkerGroup,
  sharedWorkerGroups,
  type WorkerGroup,
  workerGroups,
} from './workerGroups.ts'
import { workerName } from './workerName.ts'

/**
 * Configurations of all Workers of a deployment: one gateway, for each network its groups and solvers, named `<name in
 * wrangler.toml>-<network>` and bound to each other, then the shared Workers.
 * @param bases the configuration in each group's wrangler.toml
 * @param rateLimits of the gateway, passed on as `RATE_LIMITS`; by default those of its wrangler.toml
 * @throws Error when fee settings of quotes and auctions differ
 */
export const deriveWorkerConfigs = (
  bases: Record<WorkerGroup, WorkerConfig>,
  deployments: NetworkDeployment[],
  rateLimits: RateLimitBinding[] = bases.gateway.ratelimits ?? [],
): WorkerConfig[] => {
  const ofNetworks = deployments.flatMap((deployment) => [
    ...groupNames.map((group) => deriveGroup(bases, deployment, group)),
    ...deployment.solvers.flatMap((solver) => ('vars' in solver ? [deriveSolver(bases, deployment, solver)] : [])),
  ])
  const gateway: WorkerConfig = {
    ...bases.gateway,
    vars: {
      ...bases.gateway.vars,
      ...(rateLimits.length > 0 ? { RATE_LIMITS: toRateLimits(rateLimits) } : {}),
      ...Object.assign({}, ...deployments.map(({ vars }) => vars?.gateway)),
    },
    ratelimits: rateLimits,
    services: [
      ...bindToNetworks(bases, deployments, groupNames),
      ...sharedGroupNames.map((group) => ({ binding: group.toUpperCase(), service: workerName(bases[group]) })),
    ],
  }
  return [gateway, ...ofNetworks, ...sharedGroupNames.map((group) => deriveSharedGroup(bases, deployments, group))]
}

/** A binding counts, but does not expose its limit. */
const toRateLimits = (bindings: RateLimitBinding[]): string =>
  JSON.stringify(Object.fromEntries(bindings.map(({ name, simple }) => [name, simple])))

const groupNames = Object.keys(workerGroups) as NetworkGroup[]
const sharedGroupNames = Object.keys(sharedWorkerGroups) as SharedWorkerGroup[]

const deriveGroup = (
  bases: Record<WorkerGroup, WorkerConfig>,
  { network, settings, solvers, vars }: NetworkDeployment,
  group: NetworkGroup,
): WorkerConfig => {
  const { r2_buckets: buckets, ...base } = bases[group]
  const rules = workerGroups[group]
  const sharedServices: Record<string, SharedWorkerGroup> = 'sharedServices' in rules ? rules.sharedServices : {}
  const ownSolvers = solvers.filter((solver) => 'vars' in solver)
  return {
    ...base,
    ...(buckets && vars?.auctions?.ARCHIVE_AFTER_DAYS ? { r2_buckets: buckets } : {}),
    name: workerName(base, network),
    vars: {
      ...base.vars,
      NETWORK: network,
      ...pickSettings(group, { ...settings, SOLVERS: JSON.stringify(solvers.map(toSolverEntry)) }),
      ...vars?.[group],
      ...(isCharging(group) ? findFeeVars(bases, vars) : {}),
    },
    services: [
      ...Object.entries(rules.services).map(([binding, other]) => ({
        binding,
        service: workerName(bases[other], network),
      })),
      ...Object.entries(sharedServices).map(([binding, other]) => ({ binding, service: workerName(bases[other]) })),
      ...('callsSolvers' in rules ? ownSolvers : []).map(({ name }) => ({
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
  if ('vars' in solver) return { name, address, binding: solverBinding(name), supports: ['signedFees'], deltas: true }
  const { url, timeoutMs, supports, deltas } = solver
  return { name, address, url, timeoutMs, supports, deltas }
}

const solverBinding = (name: string): string => `SOLVER_${name.toUpperCase().replaceAll('-', '_')}`
