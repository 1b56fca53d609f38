import { join } from 'node:path'
import { bundleWorker } from '../../workers/bundleWorker.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'

const names = ['honoFloor', 'driverFloor'] as const

/** Bundles the floor Workers like the product's, for the same runtime. */
export const bundleFloors = async (
  gateway: WorkerConfig,
  folder: string,
): Promise<Record<(typeof names)[number], WorkerConfig>> => {
  const { compatibility_date, compatibility_flags } = gateway
  const built = names.map(async (name) => {
    const config = { name: name.toLowerCase(), compatibility_date, compatibility_flags }
    const main = join(import.meta.dirname, `${name}.ts`)
    return [name, { ...config, main: await bundleWorker({ ...config, main, minify: true }, join(folder, name)) }]
  })
  return Object.fromEntries(await Promise.all(built))
}
