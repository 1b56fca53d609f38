import { join } from 'node:path'
import { bundleWorkers } from '../../workers/bundleWorkers.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'

const names = ['honoFloor', 'driverFloor'] as const

/** Bundles the floor Workers like the product's, for the same runtime. */
export const bundleFloors = async (
  gateway: WorkerConfig,
  folder: string,
): Promise<Record<(typeof names)[number], WorkerConfig>> => {
  const { compatibility_date, compatibility_flags } = gateway
  const mains = Object.fromEntries(names.map((name) => [name, join(import.meta.dirname, `${name}.ts`)]))
  const bundles = Object.entries(await bundleWorkers(mains, folder))
  const built = bundles.map(([name, main]) => [
    name,
    { name: name.toLowerCase(), compatibility_date, compatibility_flags, main },
  ])
  return Object.fromEntries(built)
}
