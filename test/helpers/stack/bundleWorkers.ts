import { join } from 'node:path'
import { buildWorkers } from '#tools/workers/buildWorkers.ts'
import { readWorkerConfigs } from '#tools/workers/readWorkerConfigs.ts'

const root = join(import.meta.dirname, '../../..')

/** Runs once before all end-to-end tests, so that no stack waits for another one's bundles. */
export const setup = async (): Promise<void> => {
  await buildWorkers(root, await readWorkerConfigs(root))
}
