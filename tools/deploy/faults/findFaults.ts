import { type NetworkName, networkNames } from '#shared/networks.ts'
import { describeSetting } from '../../settings/describeSetting.ts'
import { isSecret, settingsTable, solverKeyName } from '../../settings/settingsTable.ts'
import type { Environment } from '../environment.ts'
import type { PreparedWorker } from '../prepareWorker.ts'
import type { DeploymentSettings } from '../readSettings.ts'
import { readSolverDeployments } from '../readSolverDeployments.ts'
import { settingsFile } from '../settingsFile.ts'
import { findBadSettings } from './findBadSettings.ts'
import { findCommonSettings } from './findCommonSettings.ts'
import { findMissingSettings, type SettingFinding } from './findMissingSettings.ts'
import { findSettingsFaults, type WorkerFault } from './findSettingsFaults.ts'
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
  const toPlace = (name: string, of: NetworkName): NetworkName | 'shared' => {
    const value = settings.networks.get(of)?.[name]
    return settingsTable[name]?.scope === 'shared' || (value && value === settings.shared[name]) ? 'shared' : of
  }
  const toFault = ({ setting, fault, place }: SettingFinding): SettingFault => {
    const name = toName(setting)
    const row = settingsTable[name]
    const file = settingsFile(place ?? toPlace(name, network), environment)
    return { setting, fault, file, about: row ? describeSetting(row) : '' }
  }
  /** `RPC_URLS.gnosis` is derived from `RPC_URL` of gnosis. */
  const toOperatorSetting = ({ setting, fault }: WorkerFault): SettingFinding => {
    const [, name = '', of] = setting.match(/^(RPC_URL|DATABASE_URL)S\.(\w+)$/) ?? []
    const derived = networkNames.find((each) => each === of)
    return derived ? { setting: name, fault, place: toPlace(name, derived) } : { setting, fault }
  }
  const withValue = (fault: SettingFault): SettingFault => {
    const name = toName(fault.setting)
    const value = own[name] ?? settings.shared[name]
    return value && !isSecret(name) ? { ...fault, fault: `${fault.fault}; got "${value.slice(0, 100)}"` } : fault
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
  const judged = workers.flatMap(findSettingsFaults).map(toOperatorSetting)
  const further = judged.filter(({ setting }) => !known.some((name) => isSame(name, toName(setting))))
  const unique = new Map(
    further.map(toFault).map((fault) => [`${fault.setting} ${fault.fault} ${fault.file}`, withValue(fault)]),
  )
  return [...plain, ...unique.values()]
}

/** A Worker reports a path such as `FEE_POLICIES.0.factor`. */
const toName = (setting: string): string => setting.split('.')[0] ?? setting

/** Whether a Worker's fault follows from a known one. */
const isSame = (known: string, judged: string): boolean =>
  judged === known ||
  judged === `${known}S` ||
  judged === `MAINNET_${known}` ||
  (judged === 'SOLVER_PRIVATE_KEY' && known.startsWith(solverKeyName('')))
