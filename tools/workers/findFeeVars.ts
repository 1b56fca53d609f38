import { feeSettings } from '#shared/fees/feeSettings.ts'
import { hasSetting } from '../settings/settingsTable.ts'
import type { NetworkDeployment, Vars } from './networkDeployment.ts'
import type { WorkerConfig } from './workerConfig.ts'
import { type NetworkGroup, type WorkerGroup, workerGroups } from './workerGroups.ts'

/** Quotes announce the fees that auctions charge, so both need the same settings. */
export const isCharging = (group: NetworkGroup): boolean => hasSetting(group, 'FEE_POLICIES')

/** @throws Error when fee settings of quotes and auctions differ */
export const findFeeVars = (bases: Record<WorkerGroup, WorkerConfig>, vars: NetworkDeployment['vars']): Vars => {
  const found: Vars = {}
  for (const group of (Object.keys(workerGroups) as NetworkGroup[]).filter(isCharging)) {
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
