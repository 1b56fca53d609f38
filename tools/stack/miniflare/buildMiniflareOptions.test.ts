import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readWorkerConfigs } from '../../workers/readWorkerConfigs.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'
import { buildMiniflareOptions } from './buildMiniflareOptions.ts'

const root = join(import.meta.dirname, '../../..')
const target = { port: 8787, storage: '/stack/durable' }

const bundles = mkdtempSync(join(tmpdir(), 'edgebook-'))
afterAll(() => rmSync(bundles, { recursive: true }))

/** As `buildWorkers` leaves a configuration. */
const toBundled = (config: WorkerConfig): WorkerConfig => {
  mkdirSync(join(bundles, config.name))
  return { ...config, main: join(bundles, config.name, 'index.js'), no_bundle: true }
}

test('every Worker of the repository has its bundle, bindings and storage', async () => {
  const bases = await readWorkerConfigs(root)
  const configs = Object.values(bases).map(toBundled)
  writeFileSync(join(bundles, 'edgebook-orders/1-curve.wasm'), '')
  const options = buildMiniflareOptions(configs, target)
  expect(options).toMatchObject({ host: '127.0.0.1', port: 8787, resourcePersistencePath: '/stack/durable/v3' })
  const workers = new Map((options.workers as { name: string }[]).map((worker) => [worker.name, worker]))
  expect([...workers.keys()]).toEqual(configs.map(({ name }) => name))
  expect(workers.get('edgebook-auctions')).toMatchObject({
    compatibilityDate: bases.auctions.compatibility_date,
    compatibilityFlags: ['nodejs_compat'],
    modules: [{ type: 'ESModule', path: join(bundles, 'edgebook-auctions/index.js') }],
    durableObjects: { CLOCK: { className: 'AuctionClock', useSQLite: true } },
    r2Buckets: { ARCHIVE: 'edgebook-archive' },
  })
  expect(workers.get('edgebook-orders')).toMatchObject({
    modulesRoot: join(bundles, 'edgebook-orders'),
    modules: [
      { type: 'ESModule', path: join(bundles, 'edgebook-orders/index.js') },
      { type: 'CompiledWasm', path: join(bundles, 'edgebook-orders/1-curve.wasm') },
    ],
  })
  expect(workers.get('edgebook-notifier')).toMatchObject({
    queueProducers: { DELIVERIES: { queueName: 'edgebook-deliveries' } },
    queueConsumers: {
      'edgebook-deliveries': { maxBatchSize: 25, maxBatchTimeout: 0, maxRetries: 5, retryDelay: 10 },
    },
  })
  expect(workers.get('edgebook-gateway')).toMatchObject({
    ratelimits: { LIMIT_QUOTES: { name: 'LIMIT_QUOTES', simple: { limit: 100, period: 10 } } },
    assets: {
      binding: 'ASSETS',
      routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
      assetConfig: { html_handling: 'none' },
    },
  })
})

test('vars and services are passed on, and a field that is not is named', () => {
  const config = {
    name: 'one',
    main: join(bundles, 'one.js'),
    vars: { A: '1' },
    services: [{ binding: 'TWO', service: 'two' }],
  }
  expect(buildMiniflareOptions([config], target).workers).toMatchObject([
    { bindings: { A: '1' }, serviceBindings: { TWO: { name: 'two' } } },
  ])
  expect(() => buildMiniflareOptions([{ ...config, kv_namespaces: [] }], target)).toThrow(
    'one: kv_namespaces of its configuration is not passed to Miniflare',
  )
})
