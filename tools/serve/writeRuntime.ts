import { cp, mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { buildWorkerdConfig } from '../workerd/buildWorkerdConfig.ts'
import type { WorkerConfig } from '../workers/workerConfig.ts'
import type { WorkerGroup } from '../workers/workerGroups.ts'

/**
 * Writes the configuration of workerd, with bundles and pages beside it: those of the build may be replaced while it runs.
 * Its secrets are readable by this user only.
 * @param options.dir folder of the service, with the Durable Objects and buckets of all its releases
 * @param options.folder an existing folder of this release
 * @param options.bundles of `tools/serve/platform`
 * @returns path of the configuration
 */
export const writeRuntime = async (options: {
  dir: string
  folder: string
  workers: readonly WorkerConfig[]
  bundles: { platform: string; combine: string; limiter: string }
  proxies: readonly string[]
  bases: Pick<Record<WorkerGroup, WorkerConfig>, 'gateway'>
}): Promise<string> => {
  const { dir, folder, bundles, bases } = options
  const [storage, buckets] = [join(dir, 'durable'), join(dir, 'buckets')]
  for (const stored of [storage, buckets]) await mkdir(stored, { recursive: true })
  const copies = new Map<string, Promise<string>>()
  const workers = await Promise.all(options.workers.map((worker) => copyBundle(worker, folder, copies)))
  const handlers = workers.filter(isHandler).map((worker) => worker.name)
  const gateway = workers.find(({ assets }) => assets)
  const assets = join(folder, 'assets')
  await cp(bases.gateway.assets?.directory ?? '', assets, { recursive: true })
  const file = join(folder, 'config.capnp')
  const config = buildWorkerdConfig(
    {
      workers,
      // replaced by descriptors and paths of the command line
      sockets: { edge: '127.0.0.1:0', platform: 'unix:unused' },
      storage,
      edge: {
        workers: [gateway?.name ?? '', ...handlers.filter((each) => each !== gateway?.name)],
        bundle: bundles.combine,
        proxies: options.proxies,
      },
      platform: { bundles, buckets, assets },
    },
    file,
  )
  await writeFile(file, config, { mode: 0o600 })
  return file
}

/** The consumer of a queue sends to addresses of strangers: its way out is another one. */
const isHandler = ({ queues }: WorkerConfig): boolean => !queues?.consumers

/** With the WebAssembly modules beside it. Workers of one group share a copy. */
const copyBundle = async (
  worker: WorkerConfig,
  folder: string,
  copies: Map<string, Promise<string>>,
): Promise<WorkerConfig> => {
  const built = dirname(worker.main)
  const copy = async (): Promise<string> => {
    const target = join(folder, basename(built))
    await cp(built, target, { recursive: true })
    return target
  }
  const copied = copies.get(built) ?? copy()
  copies.set(built, copied)
  return { ...worker, main: join(await copied, basename(worker.main)) }
}
