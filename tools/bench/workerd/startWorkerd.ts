import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type ProcessGroup, spawnGroup } from '../../stack/processes/spawnGroup.ts'
import type { Reaper } from '../../stack/processes/startReaper.ts'

/** The workerd that wrangler brings: what `npm start` runs, and close to what the platform does. */
const findWorkerd = (): string => {
  const wrangler = createRequire(import.meta.url).resolve('wrangler/package.json')
  return (createRequire(wrangler)('workerd') as { default: string }).default
}

/**
 * Runs a plain workerd in `<dir>/<name>`, and does not wait until it answers.
 * @param options.inspectorPort where the Chrome DevTools Protocol of its Workers is served; nowhere without it
 * @param options.buildConfig Cap'n Proto text for a file at that place, with a folder for Durable Objects
 * @throws Error as `buildConfig`, or when the program cannot be run
 */
export const startWorkerd = async (options: {
  name: string
  dir: string
  inspectorPort?: number | undefined
  buildConfig: (file: string, storage: string) => string
  reaper: Reaper
}): Promise<ProcessGroup> => {
  const folder = join(options.dir, options.name)
  const storage = join(folder, 'storage')
  await mkdir(storage, { recursive: true })
  const file = join(folder, 'config.capnp')
  await writeFile(file, options.buildConfig(file, storage))
  const inspector = options.inspectorPort === undefined ? [] : [`--inspector-addr=127.0.0.1:${options.inspectorPort}`]
  return spawnGroup({
    name: `workerd (${options.name})`,
    // Thousands of log lines a second go past this process, not through it.
    command: '/bin/sh',
    args: [
      '-c',
      'program=$0; log=$1; shift; exec "$program" serve --experimental "$@" >>"$log" 2>&1',
      findWorkerd(),
      join(folder, 'output.log'),
      ...inspector,
      file,
    ],
    env: {},
    logFile: join(folder, 'start.log'),
    reaper: options.reaper,
  })
}
