import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Ends process groups that this process left behind, also after `kill -9`. */
export type Reaper = { add: (group: number) => void; remove: (group: number) => void; close: () => void }

export const startReaper = (): Reaper => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reaper.ts')], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  })
  child.on('error', () => undefined)
  child.stdin.on('error', () => undefined)
  child.unref()
  return {
    add: (group) => child.stdin.write(`+${group}\n`),
    remove: (group) => child.stdin.write(`-${group}\n`),
    close: () => child.stdin.end(),
  }
}
