import { type NetworkName, networkNames } from '#shared/networks.ts'
import { findOwnerUrls } from '../migrations/findOwnerUrls.ts'
import { deriveWorkerConfigs } from '../workers/deriveWorkerConfigs.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import type { WorkerGroup } from '../workers/workerGroups.ts'
import { buildDeployments } from './buildDeployments.ts'
import type { Environment } from './environment.ts'
import { orderWorkers } from './orderWorkers.ts'
import { type PreparedWorker, prepareWorker } from './prepareWorker.ts'
import type { DeploymentSettings } from './readSettings.ts'

export type Plan = {
  /** in deployment order */
  workers: PreparedWorker[]
  /** must exist before */
  queues: string[]
  /** R2 buckets that must exist before */
  buckets: string[]
  /** Postgres databases to migrate before: that of the network, and that of the shared Workers */
  databaseUrls: string[]
  /** the same databases with the role that owns the tables, where it is another one */
  ownerUrls: ReadonlyMap<string, string>
}

/**
 * Plan to deploy a network: its own Workers and the shared ones. The Workers of other networks stay unchanged; the
 * shared Workers are bound to them.
 * @param bases configuration of each group, with its bundle as `main`
 * @param others networks deployed already
 * @throws Error when settings contradict each other
 */
export const planDeployment = (options: {
  bases: Record<WorkerGroup, WorkerConfig>
  settings: DeploymentSettings
  environment: Environment
  network: NetworkName
  others: readonly NetworkName[]
  version: string
}): Plan => {
  const { bases, settings, environment, network, others, version } = options
  const networks = networkNames.filter((name) => name === network || others.includes(name))
  const deployments = buildDeployments(settings, networks, version)
  const [gateway, ...derived] = deriveWorkerConfigs(bases, deployments)
  if (!gateway) throw new Error('no gateway')
  const touched = derived.filter(({ vars }) => vars?.NETWORK === undefined || vars.NETWORK === network)
  const workers = orderWorkers([
    ...touched.map((config) => prepareWorker(config, environment)),
    prepareWorker(gateway, environment, { domain: settings.shared.DOMAIN }),
  ])
  const once = settings.shared.DATABASE_URL ?? deployments[0]?.settings.DATABASE_URL
  const databaseUrls = [settings.networks.get(network)?.DATABASE_URL, once].filter((url): url is string => Boolean(url))
  const configured = [settings.networks.get(network), settings.shared, ...settings.networks.values()]
  const configs = workers.map(({ config }) => config)
  return {
    workers,
    queues: listQueues(configs),
    buckets: listBuckets(configs),
    databaseUrls: [...new Set(databaseUrls)],
    ownerUrls: findOwnerUrls(configured.filter((of) => of !== undefined)),
  }
}

/** Distinct queues that Workers produce to, consume, or use as dead letter queue. */
const listQueues = (configs: readonly WorkerConfig[]): string[] => {
  const names = configs.flatMap(({ queues }) => [
    ...(queues?.producers ?? []).map(({ queue }) => queue),
    ...(queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, ...(dead ? [dead] : [])]),
  ])
  return [...new Set(names)].sort()
}

/** Distinct R2 buckets that Workers are bound to. */
const listBuckets = (configs: readonly WorkerConfig[]): string[] => [
  ...new Set(configs.flatMap(({ r2_buckets: buckets }) => (buckets ?? []).map(({ bucket_name: name }) => name))),
]

/** Workers of other networks that the plan's Workers are bound to. */
export const listForeignServices = ({ workers }: Plan): string[] => {
  const own = new Set(workers.map(({ config }) => config.name))
  const services = workers.flatMap(({ config }) => (config.services ?? []).map(({ service }) => service))
  return [...new Set(services)].filter((service) => !own.has(service))
}

/** The plan without bindings to absent Workers, which the platform would refuse. */
export const withoutServices = (plan: Plan, absent: readonly string[]): Plan => ({
  ...plan,
  workers: plan.workers.map((worker) => ({
    ...worker,
    config: {
      ...worker.config,
      services: (worker.config.services ?? []).filter(({ service }) => !absent.includes(service)),
    },
  })),
})
