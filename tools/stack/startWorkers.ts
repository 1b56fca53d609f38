import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildMiniflareCommand } from './miniflare/buildMiniflareCommand.ts'
import { type ProcessGroup, spawnGroup } from './processes/spawnGroup.ts'
import type { Reaper } from './processes/startReaper.ts'
import { waitUntilReady } from './processes/waitUntilReady.ts'

const readyTimeoutMs = 90_000

/**
 * Runs the bundles of Workers in workerd; the first configuration serves the port. After SIGHUP it reads the
 * configurations again.
 * @throws Error when `/readyz` is not 200 in time
 */
export const startWorkers = async (options: {
  dir: string
  configFiles: string[]
  port: number
  reaper: Reaper
  log?: ((line: string) => void) | undefined
}): Promise<ProcessGroup> => {
  const { dir, configFiles, port, reaper } = options
  const logFile = join(dir, 'logs/workers.log')
  const lost = Promise.withResolvers<string>()
  const group = await spawnGroup({
    ...buildMiniflareCommand({ dir, configFiles, port }),
    name: 'miniflare',
    cwd: dir,
    logFile,
    reaper,
    log: (line) => {
      options.log?.(line)
      // It is restarted.
      if (line.includes('runtime crashed unexpectedly'))
        void isAnswering(port).then((answers) => answers || lost.resolve(`the Workers crashed (log: ${logFile})`))
    },
  })

  try {
    await waitUntilReady(`http://127.0.0.1:${port}`, { ended: group.ended, timeoutMs: readyTimeoutMs })
  } catch (error) {
    await group.kill()
    throw error
  }
  return { ...group, ended: Promise.race([group.ended, lost.promise]) }
}

const patienceMs = 15_000

/** Whether the gateway at a port of 127.0.0.1 responds soon, with any status. */
const isAnswering = async (port: number): Promise<boolean> => {
  const deadline = AbortSignal.timeout(patienceMs)
  while (!deadline.aborted) {
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`, { signal: deadline })
      return true
    } catch {
      await sleep(200, undefined, { ref: false })
    }
  }
  return false
}
