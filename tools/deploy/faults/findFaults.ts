import type { NetworkName } from '#shared/networks.ts'
import { describeSetting } from '../../settings/describeSetting.ts'
import { settingsTable, solverKeyName } from '../../settings/settingsTable.ts'
import type { Environment } from '../environment.ts'
import type { PreparedWorker } from '../prepareWorker.ts'
import type { DeploymentSettings } from '../readSettings.ts'
import { readSolverDeployments } from '../readSolverDeployments.ts'
import { settingsFile } from '../settingsFile.ts'
import { findBadSettings } from './findBadSettings.ts'
import { findCommonSettings } from './findCommonSettings.ts'
import { findMissingSettings, type SettingFinding } from './findMissingSettings.ts'
import { findSettingsFaults } from './findSettingsFaults.ts'
import { findUnknownSettings } from './findUnknownSettings.ts'

/** A fault in the settings that prevents a deployment. */
export type SettingFault = {
  setting: string
  /** `missing`, or the fault; never the value of a secret */
  fault: string
  /** file to fix */
  file: string
  /** expected content */
  about: string
}

/**
 * Missing or wrong settings of a network and of the shared Workers.
 * @param workers to deploy; their own schemas check the values
 */
export const findFaults = (options: {
  /** folder of the settings files */
  dir: string
  variables: Readonly<Record<string, string | undefined>>
  environment: Environment
  network: NetworkName
  settings: DeploymentSettings
  workers: readonly PreparedWorker[]
}): SettingFault[] => {
  const { environment, network, settings, workers } = options
  const own = settings.networks.get(network) ?? {}
  const toFault = ({ setting, fault, place }: SettingFinding): SettingFault => {
    const row = settingsTable[toName(setting)]
    const scope = place ?? (row?.scope === 'shared' || (!own[setting] && settings.shared[setting]) ? 'shared' : network)
    return { setting, fault, file: settingsFile(scope, environment), about: row ? describeSetting(row) : '' }
  }
  const plain = [
    ...findMissingSettings(settings, own),
    ...readSolverDeployments(own).faults,
    ...findUnknownSettings(own, network),
    ...findUnknownSettings(settings.shared, 'shared'),
    ...findCommonSettings({ ...options, own }),
    ...findBadSettings({ ...settings.shared, ...own }),
  ].map(toFault)
  const known = plain.map(({ setting }) => setting)
  const judged = workers.flatMap(findSettingsFaults)
  const further = judged.filter(({ setting }) => !known.some((name) => isSame(name, toName(setting))))
  const unique = new Map(further.map((fault) => [`${fault.setting} ${fault.fault}`, fault]))
  return [...plain, ...[...unique.values()].map(toFault)]
}

/** A Worker reports a path such as `RPC_URLS.gnosis`. */
const toName = (setting: string): string => setting.split('.')[0] ?? setting

/** Whether a Worker's fault follows from a known one. */
const isSame = (known: string, judged: string): boolean =>
  judged === known ||
  judged === `${known}S` ||
  judged === `MAINNET_${known}` ||
  (judged === 'SOLVER_PRIVATE_KEY' && known.startsWith(solverKeyName('')))
