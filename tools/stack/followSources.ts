import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { buildWorkers } from '../workers/buildWorkers.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'

const folders = ['functions', 'shared', 'schema']
/** An editor writes a file in several steps, and a switch of branches many files. */
const settleMs = 200

type Built = Awaited<ReturnType<typeof buildWorkers>>

/**
 * Builds the Workers again after changes of their sources. One build runs at a time; after a failed one the former
 * bundles stay.
 * @param root folder with wrangler.toml and functions/
 * @param options.built what runs
 * @param options.restart runs these configurations instead
 * @returns ends it
 */
export const followSources = (
  root: string,
  options: { built: Built; restart: (built: Built) => Promise<void>; log: (line: string) => void },
): (() => void) => {
  const { restart, log } = options
  let current = options.built
  let timer: NodeJS.Timeout | undefined
  let isBuilding = false
  const rebuild = async (): Promise<void> => {
    const built = await buildWorkers(root, await readWorkerConfigs(root))
    if (isDeepStrictEqual(built, current)) return
    await restart(built)
    current = built
    log('workers: built again')
  }
  const run = async (): Promise<void> => {
    if (isBuilding) return schedule()
    isBuilding = true
    await rebuild().catch((error: Error) => log(`workers: the former ones keep running: ${error.message}`))
    isBuilding = false
  }
  const schedule = (): void => {
    clearTimeout(timer)
    timer = setTimeout(run, settleMs)
  }
  const watchers = folders.map((folder): FSWatcher => watch(join(root, folder), { recursive: true }, schedule))
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
