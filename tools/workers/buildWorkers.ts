import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { mapBounded } from '#shared/mapBounded.ts'
import { hashFiles } from '../cache/hashFiles.ts'
import { keepBuild } from '../cache/keepBuild.ts'
import { buildAssets } from './buildAssets.ts'
import { bundleWorker, toBundleName } from './bundleWorker.ts'
import type { WorkerConfig } from './workerConfig.ts'
import type { WorkerGroup } from './workerGroups.ts'

const parallelBuilds = 2
/** Sources of the bundles and of their build. */
const sources = ['functions', 'shared', 'schema', 'wrangler.toml', 'package-lock.json']

/**
 * Builds the bundle of every group as a deployment does, once; cached under `node_modules/.cache/edgebook` until a
 * source changes. Workers start from bundles in a fraction of the time, and do not follow the sources.
 * @param root folder with wrangler.toml and functions/
 * @returns the configurations with bundles instead of sources
 * @throws Error with the bundler's message
 */
export const buildWorkers = async (
  root: string,
  bases: Record<WorkerGroup, WorkerConfig>,
): Promise<Record<WorkerGroup, WorkerConfig>> => {
  const { assets } = bases.gateway
  if (assets) await buildAssets(root, assets.directory)
  const folder = join(
    root,
    `node_modules/.cache/edgebook/workers-${await hashFiles(root, sources)}${toSuffix(bases.gateway)}`,
  )
  await keepBuild(folder, (own) =>
    mapBounded(Object.entries(bases), parallelBuilds, ([group, config]) => bundleWorker(config, join(own, group))),
  )
  const built = Object.entries(bases).map(([group, { minify, keep_names, alias, define, main, ...config }]) => [
    group,
    { ...config, main: join(folder, group, toBundleName(main)), no_bundle: true },
  ])
  return Object.fromEntries(built)
}

/** Distinguishes builds with other networks of the operator, or other replaced modules. */
const toSuffix = ({ define = {}, alias = {} }: WorkerConfig): string =>
  `-${createHash('sha256')
    .update(JSON.stringify([define, alias]))
    .digest('hex')
    .slice(0, 8)}`
