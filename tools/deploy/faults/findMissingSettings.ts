import type { NetworkName } from '#shared/networks.ts'
import { findOperatorSetting, settingsTable } from '../../settings/settingsTable.ts'
import type { DeploymentSettings, Settings } from '../readSettings.ts'

/** `place`: the file for settings that are in no table */
export type SettingFinding = { setting: string; fault: string; place?: NetworkName | 'shared' }

/** Required settings without a value. */
export const findMissingSettings = ({ shared, networks }: DeploymentSettings, own: Settings): SettingFinding[] => {
  const required = Object.entries(settingsTable).flatMap(([name, row]) =>
    row.required === true && findOperatorSetting(name) ? [name] : [],
  )
  const missing: SettingFinding[] = required
    .filter((name) => !own[name])
    .map((setting) => ({ setting, fault: 'missing' }))
  const databases = new Set([...networks.values()].map(({ DATABASE_URL }) => DATABASE_URL))
  if (databases.size > 1 && !shared.DATABASE_URL)
    missing.push({
      setting: 'DATABASE_URL',
      fault: 'the networks have separate databases; the shared Workers need one too',
      place: 'shared',
    })
  return missing
}
