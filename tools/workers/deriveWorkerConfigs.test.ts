import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectRateLimits } from '../../functions/gateway/limits/rateLimits.ts'
import { deriveWorkerConfigs } from './deriveWorkerConfigs.ts'
import type { NetworkDeployment } from './networkDeployment.ts'
import { readWorkerConfigs } from './readWorkerConfigs.ts'
import type { RateLimitBinding } from './workerConfig.ts'
import { sharedWorkerGroups } from './workerGroups.ts'
import { writeWorkerConfigs } from './writeWorkerConfigs.ts'

const binding = { limit: async () => ({ success: true }) }
let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'workers-'))
  const write = async (folder: string, text: string) => {
    await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, folder, 'wrangler.toml'), text)
  }
  const limit = 'name = "LIMIT_QUOTES"\nnamespace_id = "1001"\nsimple = { limit = 100, period = 10 }\n'
  await write('.', `name = "edgebook-gateway"\nmain = "functions/gateway/index.ts"\n[[ratelimits]]\n${limit}`)
  for (const group of ['quotes', 'orders', 'debug', 'status', 'streams', 'solver', ...Object.keys(sharedWorkerGroups)])
    await write(`functions/${group}`, `name = "edgebook-${group}"\nmain = "index.ts"\n`)
  await write(
    'functions/auctions',
    `name = "edgebook-auctions"
main = "index.ts"
compatibility_flags = ["nodejs_compat"]
[vars]
SOLVE_TIME_MS = "15000"
[[durable_objects.bindings]]
name = "CLOCK"
class_name = "AuctionClock"
[triggers]
crons = ["* * * * *"]
`,
  )
})

afterAll(() => rm(root, { recursive: true }))

const deployment: NetworkDeployment = {
  network: 'sepolia',
  settings: { DATABASE_URL: 'postgres://db', RPC_URL: 'http://rpc' },
  solvers: [
    { name: 'direct', address: '0x01', vars: { SOLVER_STRATEGY: 'direct', SOLVER_PRIVATE_KEY: '0xkey' } },
    { name: 'late', address: '0x02', url: 'http://127.0.0.1:9', timeoutMs: 500, supports: ['wrappers'] },
  ],
  vars: { auctions: { SOLVE_TIME_MS: '2000' } },
}

test('derives names, bindings and vars of the Workers of a network', async () => {
  const configs = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment])
  expect(configs.map(({ name }) => name)).toEqual([
    'edgebook-gateway',
    'edgebook-quotes-sepolia',
    'edgebook-orders-sepolia',
    'edgebook-debug-sepolia',
    'edgebook-status-sepolia',
    'edgebook-streams-sepolia',
    'edgebook-auctions-sepolia',
    'edgebook-solver-direct-sepolia',
    ...Object.keys(sharedWorkerGroups).map((group) => `edgebook-${group}`),
  ])
  const [gateway, quotes, orders, debug, status, _streams, auctions, solver] = configs
  expect(gateway).toMatchObject({
    main: join(root, 'functions/gateway/index.ts'),
    services: [
      { binding: 'QUOTES_SEPOLIA', service: 'edgebook-quotes-sepolia' },
      { binding: 'ORDERS_SEPOLIA', service: 'edgebook-orders-sepolia' },
      { binding: 'DEBUG_SEPOLIA', service: 'edgebook-debug-sepolia' },
      { binding: 'STATUS_SEPOLIA', service: 'edgebook-status-sepolia' },
      { binding: 'STREAMS_SEPOLIA', service: 'edgebook-streams-sepolia' },
      { binding: 'AUCTIONS_SEPOLIA', service: 'edgebook-auctions-sepolia' },
      ...Object.keys(sharedWorkerGroups).map((group) => ({
        binding: group.toUpperCase(),
        service: `edgebook-${group}`,
      })),
    ],
  })
  const solverService = { binding: 'SOLVER_DIRECT', service: 'edgebook-solver-direct-sepolia' }
  const SOLVERS = JSON.stringify([
    { name: 'direct', address: '0x01', binding: 'SOLVER_DIRECT', supports: ['signedFees'], deltas: true },
    { name: 'late', address: '0x02', url: 'http://127.0.0.1:9', timeoutMs: 500, supports: ['wrappers'] },
  ])
  expect(quotes).toMatchObject({
    vars: { NETWORK: 'sepolia', ...deployment.settings, SOLVERS },
    services: [solverService],
  })
  expect(orders).toMatchObject({
    vars: { NETWORK: 'sepolia', ...deployment.settings, SOLVERS },
    services: [{ binding: 'AUCTIONS', service: 'edgebook-auctions-sepolia' }],
  })
  expect(debug?.vars).toEqual({ NETWORK: 'sepolia', ...deployment.settings, SOLVERS })
  expect(status).toMatchObject({
    vars: { NETWORK: 'sepolia', ...deployment.settings, SOLVERS },
    services: [solverService],
  })
  expect(auctions).toEqual({
    name: 'edgebook-auctions-sepolia',
    main: join(root, 'functions/auctions/index.ts'),
    compatibility_flags: ['nodejs_compat'],
    durable_objects: { bindings: [{ name: 'CLOCK', class_name: 'AuctionClock' }] },
    triggers: { crons: ['* * * * *'] },
    vars: { NETWORK: 'sepolia', ...deployment.settings, SOLVERS, SOLVE_TIME_MS: '2000' },
    services: [{ binding: 'NOTIFIER', service: 'edgebook-notifier' }, solverService],
  })
  expect(configs.find(({ name }) => name === 'edgebook-accounts')?.services).toEqual([
    { binding: 'NOTIFIER', service: 'edgebook-notifier' },
  ])
  expect(solver?.vars).toEqual({
    NETWORK: 'sepolia',
    RPC_URL: 'http://rpc',
    SOLVER_NAME: 'direct',
    SOLVER_STRATEGY: 'direct',
    SOLVER_PRIVATE_KEY: '0xkey',
  })
})

test('gives quotes and auctions of a network the same fee settings, whichever has one', async () => {
  const bases = await readWorkerConfigs(root)
  const derive = (vars: NetworkDeployment['vars']) => {
    const [, quotes, orders, , , , auctions] = deriveWorkerConfigs(bases, [{ ...deployment, vars }])
    return [quotes, auctions, orders].map((config) => [config?.vars?.VOLUME_FEE_BPS, config?.vars?.FEE_POLICIES])
  }
  const expected = [
    ['2', '[]'],
    ['2', '[]'],
    [undefined, undefined],
  ]
  expect(derive({ quotes: { VOLUME_FEE_BPS: '2', FEE_POLICIES: '[]' } })).toEqual(expected)
  expect(derive({ quotes: { VOLUME_FEE_BPS: '2' }, auctions: { FEE_POLICIES: '[]', VOLUME_FEE_BPS: '2' } })).toEqual(
    expected,
  )
  expect(() => derive({ quotes: { VOLUME_FEE_BPS: '2' }, auctions: { VOLUME_FEE_BPS: '3' } })).toThrow('VOLUME_FEE_BPS')
})

test('gives shared Workers the node of every network', async () => {
  const other: NetworkDeployment = {
    ...deployment,
    network: 'base',
    settings: { ...deployment.settings, RPC_URL: 'b' },
  }
  const configs = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment, other])
  const tokens = configs.find(({ name }) => name === 'edgebook-tokens')
  expect(tokens?.vars?.RPC_URLS).toBe('{"sepolia":"http://rpc","base":"b"}')
  const markets = configs.find(({ name }) => name === 'edgebook-markets')
  expect(markets?.services).toEqual([{ binding: 'TOKENS', service: 'edgebook-tokens' }])
})

test('gives shared Workers the databases of networks with their own, whatever role a shared one has', async () => {
  const on = (network: NetworkDeployment['network'], DATABASE_URL: string): NetworkDeployment => ({
    ...deployment,
    network,
    settings: { ...deployment.settings, DATABASE_URL },
  })
  const own = 'postgres://a:b@other/book'
  const configs = deriveWorkerConfigs(await readWorkerConfigs(root), [
    on('sepolia', 'postgres://a:b@ep-one.neon.tech/book'),
    on('gnosis', 'postgres://c:d@ep-one-pooler.neon.tech/book'),
    on('base', own),
  ])
  const findUrls = (group: string) => configs.find(({ name }) => name === `edgebook-${group}`)?.vars?.DATABASE_URLS
  for (const group of ['accounts', 'markets', 'notifier']) expect(findUrls(group)).toBe(JSON.stringify({ base: own }))
  const single = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment])
  expect(single.find(({ name }) => name === 'edgebook-notifier')?.vars?.DATABASE_URLS).toBe('{}')
})

test('passes the rate limits to the gateway, with or without an override', async () => {
  const derive = async (rateLimits?: RateLimitBinding[]) => {
    const [gateway] = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment], rateLimits)
    return { ratelimits: gateway?.ratelimits, RATE_LIMITS: gateway?.vars?.RATE_LIMITS }
  }
  const quotes = { name: 'LIMIT_QUOTES', namespace_id: '1001', simple: { limit: 100, period: 10 } }
  expect(await derive()).toEqual({ ratelimits: [quotes], RATE_LIMITS: '{"LIMIT_QUOTES":{"limit":100,"period":10}}' })
  const reads = { name: 'LIMIT_READS', namespace_id: '7', simple: { limit: 5, period: 60 } }
  expect(await derive([reads])).toEqual({ ratelimits: [reads], RATE_LIMITS: '{"LIMIT_READS":{"limit":5,"period":60}}' })
  expect(await derive([])).toEqual({ ratelimits: [], RATE_LIMITS: undefined })
})

test('limits quotes to 10 and submissions to 5 a second, as specified, and reads less strictly', async () => {
  const bases = await readWorkerConfigs(join(import.meta.dirname, '../..'))
  const [gateway] = deriveWorkerConfigs(bases, [deployment])
  const perSecond = Object.fromEntries(
    (gateway?.ratelimits ?? []).map(({ name, simple }) => [name, simple.limit / simple.period]),
  )
  expect(perSecond).toMatchObject({ LIMIT_QUOTES: 10, LIMIT_SUBMISSIONS: 5, LIMIT_READS: expect.any(Number) })
  expect(perSecond.LIMIT_READS).toBeGreaterThan(10)
  const env = { ...gateway?.vars, ...Object.fromEntries(Object.keys(perSecond).map((name) => [name, binding])) }
  const { states, tiers } = connectRateLimits(env)
  expect(states).toEqual({ quotes: 'on', submissions: 'on', reads: 'on' })
  expect(Object.keys(tiers.partner ?? {}).sort()).toEqual(['quotes', 'reads', 'submissions'])
})

test('writes the configurations and removes those of an earlier start', async () => {
  const folder = join(root, 'out')
  const [gateway, ...others] = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment])
  if (!gateway) throw new Error('no gateway')
  const [, first] = await writeWorkerConfigs(folder, [gateway, ...others])
  const files = await writeWorkerConfigs(folder, [gateway])
  expect(files).toEqual([join(folder, 'edgebook-gateway/wrangler.json')])
  expect(JSON.parse(await readFile(files[0] ?? '', 'utf8'))).toEqual(gateway)
  await expect(readFile(first ?? '')).rejects.toThrow('ENOENT')
})

test('rejects a missing wrangler.toml with its name', async () => {
  await expect(readWorkerConfigs(join(root, 'functions'))).rejects.toThrow('wrangler.toml is missing')
})
