import { join } from 'node:path'
import { mapBounded } from '#shared/mapBounded.ts'
import { hashFiles } from '../cache/hashFiles.ts'
import { keepBuild } from '../cache/keepBuild.ts'
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
  const folder = join(root, `node_modules/.cache/edgebook/workers-${await hashFiles(root, sources)}`)
  await keepBuild(folder, (own) =>
    mapBounded(Object.entries(bases), parallelBuilds, ([group, config]) => bundleWorker(config, join(own, group))),
  )
  const built = Object.entries(bases).map(([group, { minify, keep_names, alias, main, ...config }]) => [
    group,
    { ...config, main: join(folder, group, toBundleName(main)), no_bundle: true },
  ])
  return Object.fromEntries(built)
}
