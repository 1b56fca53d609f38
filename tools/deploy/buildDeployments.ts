import type { NetworkName } from '#shared/networks.ts'
import { hasSetting, settingsTable } from '../settings/settingsTable.ts'
import type { NetworkDeployment } from '../workers/networkDeployment.ts'
import { type SharedWorkerGroup, sharedWorkerGroups, type WorkerGroup } from '../workers/workerGroups.ts'
import type { DeploymentSettings, Settings } from './readSettings.ts'
import { readSolverDeployments } from './readSolverDeployments.ts'

type Vars = Partial<Record<WorkerGroup, Record<string, string>>>

/**
 * Arguments of `deriveWorkerConfigs` from the settings of `networks`. The shared settings, for shared Workers, are
 * those of the first network.
 * @param version of the sources, returned by gateway and orders Workers
 */
export const buildDeployments = (
  { shared, networks: settingsOf }: DeploymentSettings,
  networks: readonly NetworkName[],
  version: string,
): NetworkDeployment[] =>
  networks.map((network, index) => {
    const settings = settingsOf.get(network) ?? {}
    const ofNetwork = toVars(settings, 'network')
    const once = index === 0 ? toSharedVars(shared, networks) : {}
    return {
      network,
      settings: { DATABASE_URL: settings.DATABASE_URL ?? '', RPC_URL: settings.RPC_URL ?? '' },
      solvers: readSolverDeployments(settings).solvers,
      vars: {
        ...once,
        ...ofNetwork,
        orders: { ...ofNetwork.orders, VERSION: version },
        gateway: { ...once.gateway, VERSION: version },
      },
    }
  })

const toVars = (settings: Settings, scope: 'network' | 'shared'): Vars => {
  const vars: Vars = {}
  for (const [name, value] of Object.entries(settings)) {
    const row = settingsTable[name]
    if (row?.scope !== scope || row.isDerived) continue
    for (const group of row.groups) vars[group] = { ...vars[group], [name]: value }
  }
  return vars
}

const toSharedVars = (shared: Settings, networks: readonly NetworkName[]): Vars => {
  const publicUrl: Settings = shared.DOMAIN ? { PUBLIC_URL: `https://${shared.DOMAIN}` } : {}
  const vars = toVars({ ...publicUrl, ...shared }, 'shared')
  // then each network's own URL is used
  if (networks.includes('mainnet')) delete vars.affiliate?.MAINNET_RPC_URL
  if (!shared.DATABASE_URL) return vars
  for (const group of Object.keys(sharedWorkerGroups) as SharedWorkerGroup[])
    if (hasSetting(group, 'DATABASE_URL')) vars[group] = { ...vars[group], DATABASE_URL: shared.DATABASE_URL }
  return vars
}
