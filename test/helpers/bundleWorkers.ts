import { join } from 'node:path'
import { buildWorkers } from '#tools/workers/buildWorkers.ts'
import { readWorkerConfigs } from '#tools/workers/readWorkerConfigs.ts'

const root = join(import.meta.dirname, '../..')

/** Once before all end-to-end tests, so that no stack waits for the bundles of another one. */
export const setup = async (): Promise<void> => {
  await buildWorkers(root, await readWorkerConfigs(root))
}
