import { join } from 'node:path'
import { buildMiniflareCommand } from './miniflare/buildMiniflareCommand.ts'
import { type ProcessGroup, spawnGroup } from './processes/spawnGroup.ts'
import type { Reaper } from './processes/startReaper.ts'
import { waitUntil } from './processes/waitUntil.ts'
import { buildDevCommand, type LogLevel } from './wrangler/buildDevCommand.ts'
import { isAnswering } from './wrangler/isAnswering.ts'

const readyTimeoutMs = 90_000
const probeTimeoutMs = 10_000

/**
 * Runs Workers in workerd; the first configuration serves the port. Bundles run in Miniflare, sources in `wrangler dev`,
 * which is Miniflare with a bundler in front.
 * @throws Error when a build fails, or `/readyz` is not 200 in time
 */
export const startWorkers = async (options: {
  dir: string
  configFiles: string[]
  /** the configurations name bundles */
  bundled: boolean
  port: number
  reaper: Reaper
  logLevel?: LogLevel
  log?: ((line: string) => void) | undefined
}): Promise<ProcessGroup> => {
  const { dir, configFiles, bundled, port, reaper, logLevel = 'log' } = options
  const logFile = join(dir, 'logs/workers.log')
  const failedBuild = Promise.withResolvers<string>()
  const lost = Promise.withResolvers<string>()
  const group = await spawnGroup({
    ...(bundled ? buildMiniflareCommand : buildDevCommand)({ dir, configFiles, port, logLevel }),
    name: bundled ? 'miniflare' : 'wrangler dev',
    cwd: dir,
    logFile,
    reaper,
    log: (line) => {
      options.log?.(line)
      // wrangler would wait for a change of the source.
      if (line.includes('Build failed')) failedBuild.resolve(`the build of the Workers failed (log: ${logFile})`)
      // It is restarted, but wrangler's proxy in front never responds again.
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
