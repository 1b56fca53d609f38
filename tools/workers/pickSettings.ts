import { hasSetting } from '../settings/settingsTable.ts'
import type { Vars } from './networkDeployment.ts'
import type { WorkerGroup } from './workerGroups.ts'

/** Those of `values` that the group reads. */
export const pickSettings = (group: WorkerGroup, values: Vars): Vars =>
  Object.fromEntries(Object.entries(values).filter(([name]) => hasSetting(group, name)))
