import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { patienceMs } from '../patienceMs.ts'

const root = join(import.meta.dirname, '../../..')

export type ServeCommand = {
  child: ChildProcess
  /** lines of its output, errors included */
  lines: string[]
  /** Waits until it serves for the given time. @returns process id of workerd */
  waitUntilServing: (times: number) => Promise<number>
  /** resolves with its exit code, or the signal that ended it */
  ended: Promise<number | string | null>
}

/** Runs `npm run serve` in an operator's folder. */
export const startServe = (cwd: string, args: readonly string[]): ServeCommand => {
  const child = spawn(process.execPath, [join(root, 'tools/serve.ts'), ...args], {
    cwd,
    env: process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal)
  const findServing = () => lines.filter((line) => line.startsWith('{"message":"serving"'))
  return {
    child,
    lines,
    ended,
    waitUntilServing: async (times) => {
      const reason = ended.then((code) => `serve ended with ${code}: ${lines.slice(-20).join('\n')}`)
      const isServing = async () => findServing().length >= times
      await waitUntil('it serves', isServing, { timeoutMs: patienceMs, ended: reason })
      return (JSON.parse(findServing().at(-1) ?? '{}') as { pid: number }).pid
    },
  }
}
