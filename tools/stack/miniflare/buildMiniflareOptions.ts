import { dirname, join } from 'node:path'
import { findWasmModules } from '../../workers/findWasmModules.ts'
import type { RateLimitBinding, WorkerConfig } from '../../workers/workerConfig.ts'

type DurableObjects = { bindings: { name: string; class_name: string }[] }
type QueueConsumer = {
  queue: string
  dead_letter_queue?: string
  max_batch_size?: number
  max_batch_timeout?: number
  max_retries?: number
  retry_delay?: number
}

/** Fields of a configuration that are passed on, or mean nothing here. */
const known = new Set([
  ...['name', 'main', 'compatibility_date', 'compatibility_flags', 'vars', 'services', 'durable_objects', 'migrations'],
  ...['queues', 'r2_buckets', 'ratelimits', 'assets', 'no_bundle'],
  // only the platform has these
  ...['cache', 'triggers'],
])

/**
 * Options of Miniflare for Workers with bundles: those that `wrangler dev` would pass to it for the same
 * configurations.
 * @param configs the first serves the port; `main` is a bundle of `bundleWorkers`
 * @param options.storage folder of Durable Objects, as `--persist-to` of wrangler
 * @throws Error naming a field that is not passed on; when a bundle is missing
 */
export const buildMiniflareOptions = (
  configs: readonly WorkerConfig[],
  options: { port: number; storage: string },
): Record<string, unknown> => ({
  host: '127.0.0.1',
  port: options.port,
  // no request metadata from the network
  cf: false,
  logRequests: false,
  resourcePersistencePath: join(options.storage, 'v3'),
  workers: configs.map(toWorker),
})

const toWorker = (config: WorkerConfig): Record<string, unknown> => {
  const unknown = Object.keys(config).find((field) => !known.has(field))
  if (unknown) throw new Error(`${config.name}: ${unknown} of its configuration is not passed to Miniflare`)
  const objects = (config.durable_objects as DurableObjects | undefined)?.bindings ?? []
  const consumers = (config.queues?.consumers ?? []) as QueueConsumer[]
  return {
    name: config.name,
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    modulesRoot: dirname(config.main),
    modules: [
      { type: 'ESModule', path: config.main },
      ...findWasmModules(config.main).map((name) => ({ type: 'CompiledWasm', path: join(dirname(config.main), name) })),
    ],
    bindings: config.vars ?? {},
    serviceBindings: toRecord(config.services ?? [], ({ binding, service }) => [binding, { name: service }]),
    durableObjects: toRecord(objects, ({ name, class_name }) => [name, { className: class_name, useSQLite: true }]),
    queueProducers: toRecord(config.queues?.producers ?? [], ({ binding, queue }) => [binding, { queueName: queue }]),
    queueConsumers: toRecord(consumers, (consumer) => [
      consumer.queue,
      {
        maxBatchSize: consumer.max_batch_size,
        maxBatchTimeout: consumer.max_batch_timeout,
        maxRetries: consumer.max_retries,
        retryDelay: consumer.retry_delay,
        deadLetterQueue: consumer.dead_letter_queue,
      },
    ]),
    r2Buckets: toRecord(config.r2_buckets ?? [], ({ binding, bucket_name }) => [binding, bucket_name]),
    ratelimits: toRecord(config.ratelimits ?? [], (limit: RateLimitBinding) => [limit.name, limit]),
    ...(config.assets ? { assets: toAssets(config, config.assets) } : {}),
  }
}

const toAssets = (config: WorkerConfig, assets: NonNullable<WorkerConfig['assets']>): Record<string, unknown> => ({
  directory: assets.directory,
  binding: assets.binding,
  run_worker_first: assets.run_worker_first,
  routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: assets.run_worker_first },
  assetConfig: {
    html_handling: assets.html_handling,
    not_found_handling: assets.not_found_handling,
    compatibility_date: config.compatibility_date,
    compatibility_flags: config.compatibility_flags,
  },
})

const toRecord = <T>(items: readonly T[], toEntry: (item: T) => [string, unknown]): Record<string, unknown> =>
  Object.fromEntries(items.map(toEntry))
