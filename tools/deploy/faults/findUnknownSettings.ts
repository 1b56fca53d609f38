import type { NetworkName } from '#shared/networks.ts'
import { findOperatorSetting } from '../../settings/settingsTable.ts'
import type { Settings } from '../readSettings.ts'
import type { SettingFinding } from './findMissingSettings.ts'

/** A misspelt name would be a setting without effect. */
export const findUnknownSettings = (settings: Settings, place: NetworkName | 'shared'): SettingFinding[] =>
  Object.keys(settings).flatMap((setting) => {
    const scope = /^SOLVER_PRIVATE_KEY_[A-Z0-9_]+$/.test(setting) ? 'network' : findOperatorSetting(setting)?.scope
    if (!scope) return [{ setting, fault: 'unknown setting', place }]
    return scope === 'shared' && place !== 'shared' ? [{ setting, fault: 'belongs to the shared file', place }] : []
  })
