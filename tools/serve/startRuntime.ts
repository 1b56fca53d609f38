import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ProcessGroup, spawnGroup } from '../stack/processes/spawnGroup.ts'
import type { Reaper } from '../stack/processes/startReaper.ts'
import { waitUntil } from '../stack/processes/waitUntil.ts'
import { findWorkerd } from '../workerd/findWorkerd.ts'

const startTimeoutMs = 60_000
/** `/drain` and `/healthz` respond at once, `/minute` after all crons */
const controlTimeoutMs = 50_000

export type Runtime = ProcessGroup & {
  /** Sends a request to the platform Worker. @throws Error when it does not respond in time */
  control: (path: '/healthz' | '/minute' | '/drain', timeoutMs?: number) => Promise<void>
}

/**
 * Starts workerd and waits until its Workers are loaded.
 * @param options.socket descriptor on which it accepts requests; undefined: none arrive
 * @param options.storage another folder of Durable Objects than that of the configuration
 */
export const startRuntime = async (options: {
  config: string
  socket?: number
  storage?: string
  reaper: Reaper
}): Promise<Runtime> => {
  const { config, socket, storage, reaper } = options
  // a path of a socket is short
  const folder = await mkdtemp(join(tmpdir(), 'edgebook-'))
  const socketPath = join(folder, 'control')
  const group = await spawnGroup({
    name: 'workerd',
    command: findWorkerd(),
    args: [
      ...['serve', '--experimental', `--socket-addr=platform=unix:${socketPath}`],
      ...(socket === undefined ? [] : ['--socket-fd=edge=3']),
      ...(storage === undefined ? [] : [`--directory-path=storage=${storage}`]),
      config,
    ],
    env: {},
    passes: socket === undefined ? [] : [socket],
    reaper,
  })
  void group.ended.then(() => rm(folder, { recursive: true, force: true }))
  const control: Runtime['control'] = (path, timeoutMs = controlTimeoutMs) =>
    new Promise((resolve, reject) => {
      const sent = request({ socketPath, path, signal: AbortSignal.timeout(timeoutMs) }, (response) => {
        response.resume().once('end', resolve).once('error', reject)
      })
      sent.once('error', reject).end()
    })
  try {
    const isLoaded = async (): Promise<boolean> => {
      await control('/healthz')
      return true
    }
    await waitUntil('the Workers are loaded', isLoaded, { timeoutMs: startTimeoutMs, ended: group.ended })
  } catch (error) {
    await group.kill()
    throw error
  }
  return { ...group, control }
}
