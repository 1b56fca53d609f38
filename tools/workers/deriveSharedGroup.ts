import { nameDatabase } from '../migrations/nameDatabase.ts'
import { bindToNetworks } from './bindToNetworks.ts'
import type { NetworkDeployment, Vars } from './networkDeployment.ts'
import { pickSettings } from './pickSettings.ts'
import type { WorkerConfig } from './workerConfig.ts'
import { type SharedWorkerGroup, sharedWorkerGroups, type WorkerGroup } from './workerGroups.ts'
import { workerName } from './workerName.ts'

/** Configuration of a Worker that all networks share. */
export const deriveSharedGroup = (
  bases: Record<WorkerGroup, WorkerConfig>,
  deployments: NetworkDeployment[],
  group: SharedWorkerGroup,
): WorkerConfig => {
  const base = bases[group]
  const { networkServices, ...rules } = sharedWorkerGroups[group]
  const services: Record<string, SharedWorkerGroup> = 'services' in rules ? rules.services : {}
  const mainnet = deployments.find(({ network }) => network === 'mainnet')
  const values = {
    /** the first network's */
    DATABASE_URL: deployments[0]?.settings.DATABASE_URL ?? '',
    ...(mainnet ? { MAINNET_RPC_URL: mainnet.settings.RPC_URL } : {}),
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
 * `DATABASE_URLS`: the databases of networks other than that of the shared Workers, for any of their roles. Always
 * present: a deployment retains the former value of an absent secret.
 */
const findNetworkDatabases = (deployments: NetworkDeployment[], sharedUrl: string | undefined): Vars => {
  const others = deployments.filter(
    ({ settings: { DATABASE_URL } }) =>
      DATABASE_URL && sharedUrl && nameDatabase(DATABASE_URL) !== nameDatabase(sharedUrl),
  )
  const urls = others.map(({ network, settings }) => [network, settings.DATABASE_URL])
  return { DATABASE_URLS: JSON.stringify(Object.fromEntries(urls)) }
}
