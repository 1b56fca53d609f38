import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startReaper } from '../../stack/processes/startReaper.ts'
import { buildWorkers } from '../../workers/buildWorkers.ts'
import { readWorkerConfigs } from '../../workers/readWorkerConfigs.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'
import { measureStartup } from './measureStartup.ts'

const repository = join(import.meta.dirname, '../../..')

/** CPU time, milliseconds: of compiling and running the code once, and of a workerd that holds it only as text. */
export type StartupTime = { ownMs: number; workerdMs: number }

/**
 * Start-up cost of each Worker: the best of several turns, because a busy machine only adds. CPU time, unaffected by
 * other processes.
 * @returns by group
 */
export const findStartupTimes = async (turns: number): Promise<Record<string, StartupTime>> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-startup-'))
  const reaper = startReaper()
  try {
    const bases = await buildWorkers(repository, await readWorkerConfigs(repository))
    const findBest = async (config: WorkerConfig, use: 'run' | 'text'): Promise<number> => {
      const times: number[] = []
      for (let turn = 0; turn < turns; turn++) times.push(await measureStartup(config, use, { dir, reaper }))
      return Math.min(...times)
    }
    const times: [string, StartupTime][] = []
    for (const [group, config] of Object.entries(bases)) {
      const workerdMs = await findBest(config, 'text')
      times.push([group, { workerdMs, ownMs: (await findBest(config, 'run')) - workerdMs }])
    }
    return Object.fromEntries(times)
  } finally {
    reaper.close()
    await rm(dir, { recursive: true, force: true })
  }
}
