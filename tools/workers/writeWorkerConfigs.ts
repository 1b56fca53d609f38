import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkerConfig } from './workerConfig.ts'

/**
 * Writes each configuration as `<folder>/<name>/wrangler.json` and replaces earlier ones.
 * @returns the files, in the given order
 */
export const writeWorkerConfigs = async (folder: string, configs: WorkerConfig[]): Promise<string[]> => {
  await rm(folder, { recursive: true, force: true })
  return Promise.all(
    configs.map(async (config) => {
      const file = join(folder, config.name, 'wrangler.json')
      await mkdir(join(folder, config.name), { recursive: true })
      await writeFile(file, JSON.stringify(config, null, 2))
      return file
    }),
  )
}
