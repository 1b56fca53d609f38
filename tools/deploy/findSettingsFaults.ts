import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import type { PreparedWorker } from './prepareWorker.ts'

/** What a Worker says of one of its settings. */
export type WorkerFault = { setting: string; fault: string }

type Parse = (env: object) => { error?: { issues: { path: PropertyKey[]; message: string }[] } }

/**
 * Has a Worker's own code judge the settings that it would get: nothing is asked of anybody.
 * @param root folder with functions/
 */
export const findSettingsFaults = async (root: string, { config, secrets }: PreparedWorker): Promise<WorkerFault[]> => {
  const parse = await findParser(join(root, 'functions', toGroup(config)))
  const { error } = parse?.({ ...standIns(config), ...config.vars, ...secrets }) ?? {}
  return (error?.issues ?? []).map(({ path, message }) => ({ setting: path.join('.'), fault: message }))
}

/** The name of the folder that a Worker's source or bundle lies in. */
export const toGroup = ({ main }: WorkerConfig): string => basename(dirname(main))

/** Entries of Workers with Durable Objects run in workerd only; their settings are in a file of their own. */
const findParser = async (folder: string): Promise<Parse | undefined> => {
  const file = join(folder, 'settings.ts')
  if (existsSync(file)) return (await import(file)).settingsSchema.safeParse
  return (await import(join(folder, 'index.ts'))).default.parseSettings
}

/** In the place of every binding: a Worker only looks whether it is there. */
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
