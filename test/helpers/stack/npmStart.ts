import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll } from 'vitest'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { patienceMs } from '../patienceMs.ts'

export type NpmStart = { child: ChildProcess; output: () => string; ended: Promise<number | null> }

/** `npm start` in a temporary folder of the test file. Each start continues the stack of the one before. */
export const setUpNpmStart = () => {
  let dir = ''
  const started: ChildProcess[] = []
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'edgebook-start-'))
  })
  afterAll(async () => {
    for (const child of started) if (child.exitCode === null) child.kill('SIGKILL')
    await own.waitForEnd()
    await rm(dir, { recursive: true, force: true })
  })

  const own = {
    get dir() {
      return dir
    },
    /** Starts on any free ports, without npm in between. */
    start: (env: NodeJS.ProcessEnv = {}, ...flags: string[]): NpmStart => {
      const child = spawn(process.execPath, ['tools/start.ts', '--dir', dir, ...flags], {
        env: { ...process.env, PORT: '0', RPC_PORT: '0', DB_PORT: '0', SINKS_PORT: '0', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      started.push(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
      return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) }
    },
    startReady: async (...flags: string[]): Promise<NpmStart> => {
      const run = own.start({}, ...flags)
      await waitUntil('the stack is ready', async () => run.output().includes('edgebook is ready after'), {
        timeoutMs: patienceMs,
        ended: run.ended.then(() => run.output()),
      })
      return run
    },
    /** Processes of the stack: its folder is in their command line or environment. */
    findProcesses: async (): Promise<number[]> => {
      const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid)
      const isOwn = async (pid: number): Promise<boolean> => {
        const files = ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''))
        return (await Promise.all(files)).some((text) => text.includes(dir))
      }
      const owned = await Promise.all(pids.map(isOwn))
      return pids.filter((_, i) => owned[i])
    },
    waitForEnd: (): Promise<void> =>
      waitUntil('everything has ended', async () => (await own.findProcesses()).length === 0, {
        timeoutMs: patienceMs,
      }),
    /** Output of `npm run demo`. */
    demo: async (): Promise<string> =>
      (await promisify(execFile)(process.execPath, ['tools/demo.ts', '--dir', dir])).stdout,
  }
  return own
}
