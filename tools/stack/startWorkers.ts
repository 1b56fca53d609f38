import { join } from 'node:path'
import { type ProcessGroup, spawnGroup } from './processes/spawnGroup.ts'
import type { Reaper } from './processes/startReaper.ts'
import { waitUntil } from './processes/waitUntil.ts'
import { buildDevCommand, type LogLevel } from './wrangler/buildDevCommand.ts'
import { isAnswering } from './wrangler/isAnswering.ts'

const readyTimeoutMs = 90_000
const probeTimeoutMs = 10_000

/**
 * Runs Workers in workerd; the first configuration serves the port.
 * @throws Error when a build fails, or `/readyz` is not 200 in time
 */
export const startWorkers = async (options: {
  dir: string
  configFiles: string[]
  port: number
  reaper: Reaper
  logLevel?: LogLevel
  log?: ((line: string) => void) | undefined
}): Promise<ProcessGroup> => {
  const { dir, configFiles, port, reaper, logLevel = 'log' } = options
  const logFile = join(dir, 'logs/workers.log')
  const failedBuild = Promise.withResolvers<string>()
  const lost = Promise.withResolvers<string>()
  const group = await spawnGroup({
    ...buildDevCommand({ dir, configFiles, port, logLevel }),
    name: 'wrangler dev',
    cwd: dir,
    logFile,
    reaper,
    log: (line) => {
      options.log?.(line)
      // wrangler would wait for a change of the source.
      if (line.includes('Build failed')) failedBuild.resolve(`the build of the Workers failed (log: ${logFile})`)
      // wrangler restarts a crashed Worker, but its proxy in front never responds again.
      if (line.includes('runtime crashed unexpectedly'))
        void isAnswering(port).then((answers) => answers || lost.resolve(`the Workers crashed (log: ${logFile})`))
    },
  })

  let answer = ''
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(probeTimeoutMs) })
    answer = `; /readyz: ${response.status} ${(await response.text()).slice(0, 1000)}`
    return response.status === 200
  }
  try {
    const ended = Promise.race([group.ended, failedBuild.promise])
    await waitUntil('the Workers are ready', isReady, { timeoutMs: readyTimeoutMs, intervalMs: 100, ended })
  } catch (error) {
    await group.kill()
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${message}${answer}`)
  }
  return { ...group, ended: Promise.race([group.ended, lost.promise]) }
}
