import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import type { PreparedWorker } from './prepareWorker.ts'

/** A Worker's fault report on one of its settings. */
export type WorkerFault = { setting: string; fault: string }

type Parse = (env: object) => { error?: { issues: { path: PropertyKey[]; message: string }[] } }

/**
 * Checks settings with the Worker's own schema, without any request.
 * @param root folder with functions/
 */
export const findSettingsFaults = async (root: string, { config, secrets }: PreparedWorker): Promise<WorkerFault[]> => {
  const parse = await findParser(join(root, 'functions', toGroup(config)))
  const { error } = parse?.({ ...standIns(config), ...config.vars, ...secrets }) ?? {}
  return (error?.issues ?? []).map(({ path, message }) => ({ setting: path.join('.'), fault: message }))
}

/** Name of the folder of a Worker's source or bundle. */
export const toGroup = ({ main }: WorkerConfig): string => basename(dirname(main))

/** Entries with Durable Objects run in workerd only; their settings are in a separate file. */
const findParser = async (folder: string): Promise<Parse | undefined> => {
  const file = join(folder, 'settings.ts')
  if (existsSync(file)) return (await import(file)).settingsSchema.safeParse
  return (await import(join(folder, 'index.ts'))).default.parseSettings
}

/** Placeholder of every binding: a Worker only checks its presence. */
const standIns = ({ services, queues, ...config }: WorkerConfig): Record<string, object> => {
  const objects = (config.durable_objects as { bindings?: { name: string }[] } | undefined)?.bindings ?? []
  const names = [
    ...(services ?? []).map(({ binding }) => binding),
    ...(queues?.producers ?? []).map(({ binding }) => binding),
    ...objects.map(({ name }) => name),
  ]
  const standIn = { fetch: () => undefined, getByName: () => undefined, send: () => undefined }
  return Object.fromEntries(names.map((name) => [name, standIn]))
}
