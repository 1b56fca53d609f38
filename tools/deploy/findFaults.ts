import type { NetworkName } from '#shared/networks.ts'
import { describeSetting } from '../settings/describeSetting.ts'
import { findOperatorSetting, settingsTable, solverKeyName } from '../settings/settingsTable.ts'
import type { Environment } from './environment.ts'
import { findSettingsFaults } from './findSettingsFaults.ts'
import type { PreparedWorker } from './prepareWorker.ts'
import { type DeploymentSettings, type Settings, settingsFile } from './readSettings.ts'
import { readSolverDeployments } from './readSolverDeployments.ts'

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

const placeholder =
  /^<.*>$|^\.{3}$|^…$|change[-_ ]?me|replace[-_ ]?me|your[-_ ](key|token|password|secret)|^x{3,}$|^todo$/i
/** Minimum length of a token: that of 8 random bytes in hexadecimal digits. */
const minTokenLength = 16
/** Maximum size of a setting on the platform, bytes. */
const maxValueBytes = 5 * 1024
const tokens = ['DEBUG_TOKEN', 'TELEGRAM_WEBHOOK_SECRET']

/**
 * Missing or wrong settings of a network and of the shared Workers.
 * @param workers to deploy; their own schemas check the values
 */
export const findFaults = (options: {
  environment: Environment
  network: NetworkName
  settings: DeploymentSettings
  workers: readonly PreparedWorker[]
}): SettingFault[] => {
  const { environment, network, settings, workers } = options
  const own = settings.networks.get(network) ?? {}
  const toFault = ({ setting, fault, place }: Finding): SettingFault => {
    const row = settingsTable[toName(setting)]
    const scope = place ?? (row?.scope === 'shared' || (!own[setting] && settings.shared[setting]) ? 'shared' : network)
    return { setting, fault, file: settingsFile(scope, environment), about: row ? describeSetting(row) : '' }
  }
  const plain = [
    ...findMissing(settings, own, network),
    ...readSolverDeployments(own).faults,
    ...findUnknown(own, network),
    ...findUnknown(settings.shared, 'shared'),
    ...findBad({ ...settings.shared, ...own }),
  ].map(toFault)
  const known = plain.map(({ setting }) => setting)
  const judged = workers.flatMap(findSettingsFaults)
  const further = judged.filter(({ setting }) => !known.some((name) => isSame(name, toName(setting))))
  const unique = new Map(further.map((fault) => [`${fault.setting} ${fault.fault}`, fault]))
  return [...plain, ...[...unique.values()].map(toFault)]
}

/** `place`: the file for settings that are in no table */
type Finding = { setting: string; fault: string; place?: NetworkName | 'shared' }

const findMissing = ({ shared, networks }: DeploymentSettings, own: Settings, network: NetworkName): Finding[] => {
  const required = Object.entries(settingsTable).flatMap(([name, row]) =>
    row.required === true && findOperatorSetting(name) ? [name] : [],
  )
  const missing: Finding[] = required.filter((name) => !own[name]).map((setting) => ({ setting, fault: 'missing' }))
  if (network !== 'mainnet' && !networks.has('mainnet') && !shared.MAINNET_RPC_URL)
    missing.push({ setting: 'MAINNET_RPC_URL', fault: 'missing' })
  const databases = new Set([...networks.values()].map(({ DATABASE_URL }) => DATABASE_URL))
  if (databases.size > 1 && !shared.DATABASE_URL)
    missing.push({
      setting: 'DATABASE_URL',
      fault: 'the networks have separate databases; the shared Workers need one too',
      place: 'shared',
    })
  return missing
}

/** A misspelt name would be a setting without effect. */
const findUnknown = (settings: Settings, place: NetworkName | 'shared'): Finding[] =>
  Object.keys(settings).flatMap((setting) => {
    const scope = /^SOLVER_PRIVATE_KEY_[A-Z0-9_]+$/.test(setting) ? 'network' : findOperatorSetting(setting)?.scope
    if (!scope) return [{ setting, fault: 'unknown setting', place }]
    return scope === 'shared' && place !== 'shared' ? [{ setting, fault: 'belongs to the shared file', place }] : []
  })

const findBad = (settings: Settings): Finding[] =>
  Object.entries(settings).flatMap(([setting, value]) => {
    if (Buffer.byteLength(value) > maxValueBytes)
      return [{ setting, fault: `longer than the platform's ${maxValueBytes} bytes` }]
    if (placeholder.test(value)) return [{ setting, fault: 'still a placeholder' }]
    if (tokens.includes(setting) && value.length < minTokenLength)
      return [{ setting, fault: `too easy to guess; use at least ${minTokenLength} characters` }]
    return []
  })

/** A Worker reports a path such as `RPC_URLS.gnosis`. */
const toName = (setting: string): string => setting.split('.')[0] ?? setting

/** Whether a Worker's fault follows from a known one. */
const isSame = (known: string, judged: string): boolean =>
  judged === known ||
  judged === `${known}S` ||
  judged === `MAINNET_${known}` ||
  (judged === 'SOLVER_PRIVATE_KEY' && known.startsWith(solverKeyName('')))
