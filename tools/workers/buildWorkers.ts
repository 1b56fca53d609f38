import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mapBounded } from '#shared/mapBounded.ts'
import { buildAssets } from './buildAssets.ts'
import { bundleWorker, toBundleName } from './bundleWorker.ts'
import type { WorkerConfig } from './workerConfig.ts'
import type { WorkerGroup } from './workerGroups.ts'

const parallelBuilds = 2
/** What ends up in a bundle, or decides how it is made. */
const sources = ['functions', 'shared', 'schema', 'wrangler.toml', 'package-lock.json']

/**
 * Builds the bundle of every group as a deployment would, once: it is kept under `node_modules/.cache/edgebook` until a source
 * changes. Starting Workers from their bundles takes a fraction of the time, and they do not follow the sources.
 * @param root folder with wrangler.toml and functions/
 * @returns the configurations with the bundles in place of the sources
 * @throws Error with what the bundler says
 */
export const buildWorkers = async (
  root: string,
  bases: Record<WorkerGroup, WorkerConfig>,
): Promise<Record<WorkerGroup, WorkerConfig>> => {
  const { assets } = bases.gateway
  if (assets) await buildAssets(root, assets.directory)
  const cache = join(root, 'node_modules/.cache/edgebook')
  const folder = join(cache, `workers-${await hashSources(root)}`)
  if (!existsSync(folder)) {
    const own = `${folder}.${randomUUID()}`
    try {
      await mapBounded(Object.entries(bases), parallelBuilds, ([group, config]) =>
        bundleWorker(config, join(own, group)),
      )
      await keep(own, folder)
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }
  const built = Object.entries(bases).map(([group, { minify, keep_names, alias, main, ...config }]) => [
    group,
    { ...config, main: join(folder, group, toBundleName(main)), no_bundle: true },
  ])
  return Object.fromEntries(built)
}

/** Several processes may build at once: each in a folder of its own, and the first one stays. */
const keep = async (own: string, folder: string): Promise<void> => {
  await rename(own, folder).catch((error) => {
    if (!existsSync(folder)) throw error
  })
}

const hashSources = async (root: string): Promise<string> => {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await listFiles(join(root, source))) {
      hash.update(file.slice(root.length)).update(await readFile(file))
    }
  }
  return hash.digest('hex').slice(0, 32)
}

const listFiles = async (path: string): Promise<string[]> => {
  if (path.endsWith('.test.ts') || !existsSync(path)) return []
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if (!entries) return [path]
  const lists = await Promise.all(entries.map(({ name }) => listFiles(join(path, name))))
  return lists.flat().sort()
}
