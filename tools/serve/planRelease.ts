import type { NetworkName } from '#shared/networks.ts'
import type { Environment } from '../deploy/environment.ts'
import { planDeployment } from '../deploy/planDeployment.ts'
import type { DeploymentSettings } from '../deploy/readSettings.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import type { WorkerGroup } from '../workers/workerGroups.ts'
import { addressHeader } from './platform/trustProxies.ts'

/** No cache is in front, and the header has the address of the client (`trustProxies`). */
const gatewayVars = { CACHE: 'memory', CLIENT_ADDRESS_HEADER: addressHeader }

/**
 * The Workers that a deployment of these networks uploads, with their secrets as vars.
 * @param options.bases configuration of each group, with its bundle as `main`
 */
export const planRelease = (options: {
  bases: Record<WorkerGroup, WorkerConfig>
  settings: DeploymentSettings
  environment: Environment
  networks: readonly NetworkName[]
  version: string
}): WorkerConfig[] => {
  const { networks, ...common } = options
  const plans = networks.map((network) =>
    planDeployment({ ...common, network, others: networks.filter((name) => name !== network) }),
  )
  const prepared = plans.flatMap(({ workers }) => workers)
  const workers = new Map(prepared.map(({ config, secrets }) => [config.name, toServed(config, secrets)]))
  return [...workers.values()]
}

const toServed = (config: WorkerConfig, secrets: Readonly<Record<string, string>>): WorkerConfig => ({
  ...config,
  vars: { ...config.vars, ...secrets, ...(config.assets ? gatewayVars : {}) },
})
