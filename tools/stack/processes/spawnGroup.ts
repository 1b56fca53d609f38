import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Reaper } from './startReaper.ts'

/** a killed process may stay a zombie where no process collects orphans */
const sweepMs = 500

export type SpawnGroupOptions = {
  /** name of the child in messages */
  name: string
  command: string
  args: string[]
  cwd?: string
  env: NodeJS.ProcessEnv
  /** undefined: the child writes to the output of this process */
  logFile?: string
  /** descriptors of this process that the child has, the first one as its 3 */
  passes?: readonly number[]
  reaper: Reaper
  /** receives every line of output, with a log file */
  log?: ((line: string) => void) | undefined
}

/** A child with all its descendants, in a process group of its own. */
export type ProcessGroup = {
  pid: number
  /** resolves when the child has ended: undefined after `stop` or `kill`, else one line with the reason */
  ended: Promise<string | undefined>
  /** Sends SIGTERM, and kills the group after `graceMs`. */
  stop: (graceMs?: number) => Promise<void>
  /** SIGKILL to the whole group. */
  kill: () => Promise<void>
}

/** @throws Error when the command cannot be run */
export const spawnGroup = async (options: SpawnGroupOptions): Promise<ProcessGroup> => {
  const output = options.logFile === undefined ? 'inherit' : 'pipe'
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ['ignore', output, output, ...(options.passes ?? [])],
  })
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0))
    child.once('error', (error) => reject(new Error(`${options.name} cannot be started: ${error.message}`)))
  })
  options.reaper.add(pid)

  const logFile = options.logFile === undefined ? undefined : createWriteStream(options.logFile, { flags: 'a' })
  let lastLine = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    createInterface({ input: stream }).on('line', (line) => {
      logFile?.write(`${line}\n`)
      options.log?.(line)
      if (line.trim()) lastLine = line.trim()
    })
  }

  let isStopping = false
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('close', (code, signal) => {
      logFile?.end()
      const how = signal ? `was killed by ${signal}` : `ended with code ${code}: ${lastLine}`
      const log = options.logFile === undefined ? '' : ` (log: ${options.logFile})`
      resolve(isStopping ? undefined : `${options.name} ${how}${log}`)
    })
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))

  const sweep = async (): Promise<void> => {
    const deadline = Date.now() + sweepMs
    while (signalGroup(pid, 'SIGKILL') && Date.now() < deadline) await sleep(20)
    options.reaper.remove(pid)
    await Promise.race([ended, sleep(sweepMs, undefined, { ref: false })])
  }
  // Descendants must not outlive it and hold its output open.
  void exited.then(sweep)

  return {
    pid,
    ended,
    stop: async (graceMs = 5_000) => {
      isStopping = true
      signalGroup(pid, 'SIGTERM')
      await Promise.race([exited, sleep(graceMs, undefined, { ref: false })])
      await sweep()
    },
    kill: async () => {
      isStopping = true
      await sweep()
    },
  }
}

/** @returns whether the group still exists */
const signalGroup = (group: number, signal: NodeJS.Signals): boolean => {
  try {
    process.kill(-group, signal)
    return true
  } catch {
    return false
  }
}
