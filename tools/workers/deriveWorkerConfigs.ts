import { feeSettings } from '#shared/fees/feeSettings.ts'
import type { NetworkName } from '#shared/networks.ts'
import type { SolverFeature } from '#shared/solvers/solverList.ts'
import { nameDatabase } from '../migrations/nameDatabase.ts'
import { hasSetting } from '../settings/settingsTable.ts'
import type { RateLimitBinding, WorkerConfig } from './workerConfig.ts'
import {
  type NetworkGroup,
  type SharedWorkerGroup,
  sharedWorkerGroups,
  type WorkerGroup,
  workerGroups,
} from './workerGroups.ts'

type Vars = Record<string, string>

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

const bindToNetworks = (
  bases: Record<WorkerGroup, WorkerConfig>,
  deployments: NetworkDeployment[],
  groups: readonly NetworkGroup[],
) =>
  deployments.flatMap(({ network }) =>
    groups.map((group) => ({
      binding: `${group}_${network}`.toUpperCase(),
      service: workerName(bases[group], network),
    })),
  )

/** Those of `values` that the group reads. */
const pickSettings = (group: WorkerGroup, values: Vars): Vars =>
  Object.fromEntries(Object.entries(values).filter(([name]) => hasSetting(group, name)))

const deriveSharedGroup = (
  bases: Record<WorkerGroup, WorkerConfig>,
  deployments: NetworkDeployment[],
  group: SharedWorkerGroup,
): WorkerConfig => {
  const base = bases[group]
  const { networkServices, ...rules } = sharedWorkerGroups[group]
  const services: Record<string, SharedWorkerGroup> = 'services' in rules ? rules.services : {}
  const values = {
    /** the first network's */
    DATABASE_URL: deployments[0]?.settings.DATABASE_URL ?? '',
    MAINNET_RPC_URL: deployments.find(({ network }) => network === 'mainnet')?.settings.RPC_URL ?? '',
    RPC_URLS: JSON.stringify(
      Object.fromEntries(deployments.map(({ network, settings }) => [network, settings.RPC_URL])),
    ),
  }
  const vars: Vars = {
    ...base.vars,
    ...pickSettings(group, values),
    ...Object.assign({}, ...deployments.map(({ vars }) => vars?.[group])),
  }
  return {
    ...base,
    vars: { ...vars, ...pickSettings(group, findNetworkDatabases(deployments, vars.DATABASE_URL)) },
    services: [
      ...bindToNetworks(bases, deployments, networkServices),
      ...Object.entries(services).map(([binding, other]) => ({ binding, service: workerName(bases[other]) })),
    ],
  }
}

/**
 * `DATABASE_URLS`: the databases of networks other than that of the shared Workers, whatever their roles. Always present: a
 * deployment keeps the former value of an absent secret.
 */
const findNetworkDatabases = (deployments: NetworkDeployment[], sharedUrl: string | undefined): Vars => {
  const others = deployments.filter(
    ({ settings: { DATABASE_URL } }) =>
      DATABASE_URL && sharedUrl && nameDatabase(DATABASE_URL) !== nameDatabase(sharedUrl),
  )
  const urls = others.map(({ network, settings }) => [network, settings.DATABASE_URL])
  return { DATABASE_URLS: JSON.stringify(Object.fromEntries(urls)) }
}

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
      ...(hasSetting(group, 'SOLVERS') ? ownSolvers : []).map(({ name }) => ({
        binding: solverBinding(name),
        service: workerName(bases.solver, name, network),
      })),
    ],
  }
}

/** Quotes announce the fees that auctions charge, so both need the same settings. */
const isCharging = (group: NetworkGroup): boolean => hasSetting(group, 'FEE_POLICIES')

const findFeeVars = (bases: Record<WorkerGroup, WorkerConfig>, vars: NetworkDeployment['vars']): Vars => {
  const found: Vars = {}
  for (const group of groupNames.filter(isCharging)) {
    const own: Vars = { ...bases[group].vars, ...vars?.[group] }
    for (const name of Object.keys(feeSettings)) {
      const value = own[name]
      if (value === undefined) continue
      if ((found[name] ?? value) !== value)
        throw new Error(`${name}: quotes have ${found[name]}, auctions have ${value}; they need the same`)
      found[name] = value
    }
  }
  return found
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
  if ('vars' in solver) return { name, address, binding: solverBinding(name), deltas: true }
  const { url, timeoutMs, supports, deltas } = solver
  return { name, address, url, timeoutMs, supports, deltas }
}

const solverBinding = (name: string): string => `SOLVER_${name.toUpperCase().replaceAll('-', '_')}`

const workerName = (base: WorkerConfig, ...suffixes: string[]): string =>
  [base.name, ...suffixes].join('-').replaceAll('_', '-')
