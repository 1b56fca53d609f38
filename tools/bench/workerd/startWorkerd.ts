import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProcessGroup, spawnGroup } from '../../stack/processes/spawnGroup.ts'
import type { Reaper } from '../../stack/processes/startReaper.ts'
import { findWorkerd } from '../../workerd/findWorkerd.ts'

/**
 * Starts a plain workerd in `<dir>/<name>` without waiting for it to respond.
 * @param options.inspectorPort port of the Chrome DevTools Protocol of its Workers; none when omitted
 * @param options.buildConfig returns Cap'n Proto text for a file at the given path, with a folder for Durable Objects
 * @throws Error of `buildConfig`, or when the program cannot be started
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
    // Thousands of log lines a second bypass this process.
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
