import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { hashFiles } from '../cache/hashFiles.ts'
import { keepBuild } from '../cache/keepBuild.ts'
import { removeOldBuilds } from '../cache/removeOldBuilds.ts'
import { findOperatorNetworks } from '../networks/findOperatorNetworks.ts'
import { buildAssets } from './buildAssets.ts'
import { bundleWorkers, toBundleName } from './bundleWorkers.ts'
import type { WorkerConfig } from './workerConfig.ts'
import type { WorkerGroup } from './workerGroups.ts'

/** Sources of the bundles and of their build. */
const sources = ['functions', 'shared', 'schema', 'tools/workers', 'package-lock.json']

/**
 * Builds the bundles of all groups once; cached under `node_modules/.cache/edgebook` until a source changes.
 * Deployments and local stacks run the same bundles.
 * @param root folder with wrangler.toml and functions/
 * @returns the configurations with bundles instead of sources
 * @throws Error with the bundler's messages
 */
export const buildWorkers = async (
  root: string,
  bases: Record<WorkerGroup, WorkerConfig>,
): Promise<Record<WorkerGroup, WorkerConfig>> => {
  const { assets } = bases.gateway
  const [folder] = await Promise.all([buildBundles(root, bases), assets && buildAssets(root, assets.directory)])
  const built = Object.entries(bases).map(([group, config]) => [
    group,
    { ...config, main: join(folder, group, toBundleName(config.main)), no_bundle: true },
  ])
  return Object.fromEntries(built)
}

/** @returns their folder */
const buildBundles = async (root: string, bases: Record<WorkerGroup, WorkerConfig>): Promise<string> => {
  const builds = join(root, 'node_modules/.cache/edgebook')
  const folder = join(builds, `workers-${hashFiles(root, sources)}-${hashNetworks()}`)
  const mains = Object.fromEntries(Object.entries(bases).map(([group, { main }]) => [group, main]))
  await keepBuild(folder, async (own) => {
    await removeOldBuilds(builds, 'workers-')
    await bundleWorkers(mains, own)
  })
  return folder
}

/** Distinguishes builds with other networks of the operator. */
const hashNetworks = (): string => createHash('sha256').update(findOperatorNetworks()).digest('hex').slice(0, 8)
