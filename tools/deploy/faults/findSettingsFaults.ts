import '#shared/http/describeIssue.ts'

import { basename, dirname } from 'node:path'
import { settingsSchemas } from '../../settings/settingsTable.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'
import type { WorkerGroup } from '../../workers/workerGroups.ts'
import type { PreparedWorker } from '../prepareWorker.ts'

/** A Worker's fault report on one of its settings. */
export type WorkerFault = { setting: string; fault: string }

/** Checks settings with the Worker's own schema, without any request. */
export const findSettingsFaults = ({ config, secrets }: PreparedWorker): WorkerFault[] => {
  const { error } = settingsSchemas[toGroup(config)].safeParse({ ...standIns(config), ...config.vars, ...secrets })
  return (error?.issues ?? []).map(({ path, message }) => ({ setting: path.join('.'), fault: message }))
}

/** Name of the folder of a Worker's source or bundle. */
export const toGroup = ({ main }: WorkerConfig): WorkerGroup => basename(dirname(main)) as WorkerGroup

/** Placeholder of every binding: a Worker only checks its presence. */
const standIns = ({ services, queues, r2_buckets: buckets, ...config }: WorkerConfig): Record<string, object> => {
  const objects = (config.durable_objects as { bindings?: { name: string }[] } | undefined)?.bindings ?? []
  const names = [
    ...(services ?? []).map(({ binding }) => binding),
    ...(queues?.producers ?? []).map(({ binding }) => binding),
    ...(buckets ?? []).map(({ binding }) => binding),
    ...objects.map(({ name }) => name),
  ]
  const standIn = { fetch: () => undefined, getByName: () => undefined, send: () => undefined }
  return Object.fromEntries(names.map((name) => [name, standIn]))
}
