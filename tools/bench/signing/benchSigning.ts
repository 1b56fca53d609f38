import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPort } from '../../stack/processes/findPort.ts'
import { startReaper } from '../../stack/processes/startReaper.ts'
import { waitUntil } from '../../stack/processes/waitUntil.ts'
import { buildWorkerdConfig } from '../../workerd/buildWorkerdConfig.ts'
import { bundleWorkers } from '../../workers/bundleWorkers.ts'
import { readWorkerConfigs } from '../../workers/readWorkerConfigs.ts'
import { type Report, toReport } from '../figure.ts'
import { readProcessUsage } from '../workerd/readProcessUsage.ts'
import { startWorkerd } from '../workerd/startWorkerd.ts'

/** microseconds; the rest of an order's millisecond is for recovering the signer */
const operations = [
  { name: 'order digest', path: 'digest', count: 5_000, budget: 30 },
  { name: 'recovery of a signer', path: 'recover', count: 1_000, budget: 150 },
  { name: 'recovery in JavaScript', path: 'recoverInJavaScript', count: 300, budget: undefined },
]
/** The first runs warm up the compiler; of the others the best counts, because a busy machine only adds time. */
const turns = 8

/** CPU cost of signing in a Worker, measured in a workerd that does nothing else. */
export const benchSigning = async (report: (report: Report) => void): Promise<void> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-signing-'))
  const reaper = startReaper()
  try {
    const { gateway } = await readWorkerConfigs(join(import.meta.dirname, '../../..'))
    const { compatibility_date, compatibility_flags } = gateway
    const config = { name: 'signing', compatibility_date, compatibility_flags }
    const source = join(import.meta.dirname, 'signingWorker.ts')
    const { signing: main } = await bundleWorkers({ signing: source }, dir)
    const port = await findPort(0, 'PORT')
    const plan = { workers: [{ ...config, main }], sockets: { signing: `127.0.0.1:${port}` } }
    const buildConfig = (file: string, storage: string) => buildWorkerdConfig({ ...plan, storage }, file)
    const { pid, ended } = await startWorkerd({ name: 'signing', dir, buildConfig, reaper })
    const run = async (path: string, count: number) => (await fetch(`http://127.0.0.1:${port}/${path}/${count}`)).ok
    await waitUntil('the Worker answers', () => run('digest', 1), { timeoutMs: 30_000, ended })
    const measure = async (path: string, count: number): Promise<number> => {
      const times: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        const before = await readProcessUsage(pid)
        await run(path, count)
        times.push((((await readProcessUsage(pid)).cpuMs - before.cpuMs) * 1000) / count)
      }
      return Math.min(...times)
    }
    const figures = []
    for (const { name, path, count, budget } of operations)
      figures.push({ name, value: await measure(path, count), unit: 'µs', budget })
    report(toReport('signing', figures))
  } finally {
    reaper.close()
    await rm(dir, { recursive: true, force: true })
  }
}
