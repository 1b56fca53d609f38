import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { NetworkName } from '#shared/networks.ts'
import { cacheFolder } from '../../cache/cacheFolder.ts'
import { hashFiles } from '../../cache/hashFiles.ts'
import { keepBuild } from '../../cache/keepBuild.ts'
import { findPort } from '../processes/findPort.ts'
import { startReaper } from '../processes/startReaper.ts'
import { startStores } from '../startStores.ts'

const root = join(import.meta.dirname, '../../..')
/** Sources of prepared chains. */
const sources = ['contracts', 'shared', 'tools/stack', 'package-lock.json']

/**
 * Fills the folder of a new stack with prepared chains, which `startStack` then continues without keeping data: a
 * fraction of preparing them again. They are prepared once, and cached under `node_modules/.cache/edgebook` until a
 * source changes.
 * @param dir an empty folder
 * @param networks as in the options of the stack
 */
export const prepareFolder = async (dir: string, networks: readonly NetworkName[] = ['sepolia']): Promise<void> => {
  const folder = join(cacheFolder, `chains-${networks.join('-')}-${hashFiles(root, sources)}`)
  await keepBuild(folder, (own) => fill(own, networks))
  await cp(folder, dir, { recursive: true })
}

const fill = async (dir: string, networks: readonly NetworkName[]): Promise<void> => {
  await mkdir(dir, { recursive: true })
  const reaper = startReaper()
  const undo: (() => unknown)[] = [reaper.close]
  try {
    const [rpcPort, dbPort] = [await findPort(0, 'RPC_PORT'), await findPort(0, 'DB_PORT')]
    await startStores({ dir, networks, rpcPort, dbPort, reaper, log: () => undefined, undo })
  } finally {
    for (let step = undo.pop(); step; step = undo.pop()) await step()
  }
  await rm(join(dir, 'database'), { recursive: true })
}
