import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type NetworkName, networks } from '#shared/networks.ts'
import { devAccounts } from '../stack/chain/devAccounts.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import { adaptToAccount } from './adaptToAccount.ts'
import type { Environment } from './environment.ts'
import { findFaults } from './faults/findFaults.ts'
import { orderWorkers } from './orderWorkers.ts'
import { planDeployment } from './planDeployment.ts'
import type { PreparedWorker } from './prepareWorker.ts'
import type { DeploymentSettings, Settings } from './readSettings.ts'

const root = join(import.meta.dirname, '../..')
const network = networks.sepolia
const solverKey = devAccounts[8].privateKey

const complete = {
  DATABASE_URL: 'postgres://user:password@127.0.0.1:9/edgebook',
  RPC_URL: 'http://127.0.0.1:9/node-key',
  CONTRACTS: 'canonical',
  SOLVERS: '[{"name":"direct","strategy":"direct"}]',
  SOLVER_PRIVATE_KEY_DIRECT: solverKey,
}
const completeShared = { MAINNET_RPC_URL: 'http://127.0.0.1:9/mainnet-key' }

let bases: Awaited<ReturnType<typeof readWorkerConfigs>>

beforeAll(async () => {
  bases = await readWorkerConfigs(root)
  // loads the code of every Worker, once
  findAll(toSettings({ sepolia: complete }))
}, 180_000)

const toSettings = (
  networks: Partial<Record<NetworkName, Settings>>,
  shared: Settings = completeShared,
): DeploymentSettings => ({
  shared,
  networks: new Map(Object.entries(networks) as [NetworkName, Settings][]),
})

const plan = (
  settings: DeploymentSettings,
  environment: Environment = 'production',
  network: NetworkName = 'sepolia',
) =>
  planDeployment({
    bases,
    settings,
    environment,
    network,
    others: [...settings.networks.keys()].filter((name) => name !== network),
    version: 'v1',
  })

const findWorker = (planned: ReturnType<typeof plan>, name: string) =>
  planned.workers.find(({ config }) => config.name === name)

test('orders each Worker after those that it is bound to, the gateway last', () => {
  const names = plan(toSettings({ sepolia: complete })).workers.map(({ config }) => config.name)
  for (const { config } of plan(toSettings({ sepolia: complete })).workers)
    for (const { service } of config.services ?? [])
      expect(names.indexOf(service), service).toBeLessThan(names.indexOf(config.name))
  expect(names.at(-1)).toBe('edgebook-gateway')
})

test('rejects circular bindings with the names of the Workers', () => {
  const worker = (name: string, service: string) => ({
    config: { name, main: '', services: [{ binding: 'B', service }] },
  })
  expect(() => orderWorkers([worker('a', 'b'), worker('b', 'a')])).toThrow('a, b')
  expect(orderWorkers([worker('a', 'a'), worker('b', 'elsewhere')])).toHaveLength(2)
})

test('no secret is in the vars of a Worker', () => {
  const { workers } = plan(
    toSettings(
      { sepolia: { ...complete, DEBUG_TOKEN: 'a-long-debug-token' } },
      { ...completeShared, EMAIL_API_KEY: 'mail-key', VAPID_PRIVATE_KEY: 'push-key', API_KEYS: '{"hash":"partner"}' },
    ),
  )
  const configs = JSON.stringify(workers.map(({ config }) => config))
  for (const secret of [
    complete.DATABASE_URL,
    'node-key',
    'mainnet-key',
    solverKey,
    'a-long-debug-token',
    'mail-key',
    'push-key',
  ])
    expect(configs).not.toContain(secret)
  const debug = workers.find(({ config }) => config.name === 'edgebook-debug-sepolia')
  expect(debug?.secrets).toEqual({
    DATABASE_URL: complete.DATABASE_URL,
    RPC_URL: complete.RPC_URL,
    DEBUG_TOKEN: 'a-long-debug-token',
  })
  expect(workers.at(-1)?.secrets).toEqual({ API_KEYS: '{"hash":"partner"}' })
  expect(debug?.config.secrets).toEqual({ required: Object.keys(debug?.secrets ?? {}) })
})

test('rejects the setting of the local wallet in every deployment', async () => {
  const localChains = { LOCAL_RPC_URLS: '{"sepolia":"http://127.0.0.1:8545"}' }
  const settings = toSettings({ sepolia: { ...complete, ...localChains } }, { ...completeShared, ...localChains })
  expect(JSON.stringify(plan(settings).workers)).not.toContain('LOCAL_RPC_URLS')
  expect(findAll(settings)).toHaveProperty('LOCAL_RPC_URLS', expect.stringContaining('unknown setting'))
})

test('exposes only the gateway: at its domain, or at workers.dev without one', () => {
  const isOpen = ({ config }: PreparedWorker) => config.workers_dev === true || config.routes !== undefined
  const bare = plan(toSettings({ sepolia: complete }))
  expect(bare.workers.filter(isOpen).map(({ config }) => config.name)).toEqual(['edgebook-gateway'])
  expect(bare.workers.every(({ config }) => config.preview_urls === false)).toBe(true)
  const withDomain = plan(toSettings({ sepolia: complete }, { ...completeShared, DOMAIN: 'api.example.org' }))
  expect(findWorker(withDomain, 'edgebook-gateway')?.config).toMatchObject({
    workers_dev: false,
    routes: [{ pattern: 'api.example.org', custom_domain: true }],
  })
  expect(findWorker(withDomain, 'edgebook-notifier')?.config.vars?.PUBLIC_URL).toBe('https://api.example.org')
})

test.each(['production', 'staging'] as const)('logs no invocation with its URL: %s', (environment) => {
  const { workers } = plan(toSettings({ sepolia: complete }), environment)
  const logged = workers.map(({ config }) => (config as { observability?: unknown }).observability)
  expect(workers.length).toBeGreaterThan(10)
  expect(logged).toEqual(workers.map(() => ({ enabled: true, logs: { enabled: true, invocation_logs: false } })))
})

test('runs each Worker near its database, and the gateway near its clients', () => {
  const DATABASE_URL = 'postgres://user:password@ep-a-b.eu-central-1.aws.neon.tech/edgebook'
  const { workers } = plan(toSettings({ sepolia: { ...complete, DATABASE_URL } }))
  const placed = workers.filter(({ config }) => 'placement' in config)
  expect(placed.map(({ config }) => config.placement)).toEqual(placed.map(() => ({ region: 'aws:eu-central-1' })))
  expect(placed.map(({ config }) => config.name)).toEqual(
    workers.filter(({ secrets }) => secrets.DATABASE_URL).map(({ config }) => config.name),
  )
  expect(placed.length).toBeGreaterThan(5)
  expect(placed.map(({ config }) => config.name)).not.toContain('edgebook-gateway')
})

test('gives staging its own names, queues and counters', () => {
  const settings = toSettings({ sepolia: complete })
  const collect = (environment: Environment) => {
    const { workers, queues } = plan(settings, environment)
    const configs = workers.map(({ config }) => config)
    return [
      ...queues,
      ...configs.map(({ name }) => name),
      ...configs.flatMap(({ services }) => (services ?? []).map(({ service }) => service)),
      ...configs.flatMap(({ ratelimits }) => (ratelimits ?? []).map(({ namespace_id: id }) => id)),
      ...configs.flatMap(({ queues }) =>
        [...(queues?.producers ?? []), ...(queues?.consumers ?? [])].map(({ queue }) => queue),
      ),
    ]
  }
  const staging = new Set(collect('staging'))
  expect(collect('production').filter((name) => staging.has(name))).toEqual([])
  expect(plan(settings, 'staging').queues).toEqual(['edgebook-deliveries-dead-staging', 'edgebook-deliveries-staging'])
})

test('binds the bucket of the archive where competitions move to it', () => {
  const archiving = { ...complete, ARCHIVE_AFTER_DAYS: '30' }
  const planned = plan(toSettings({ sepolia: archiving, base: complete }), 'staging')
  const bound = planned.workers.flatMap(({ config: { name, r2_buckets: buckets } }) =>
    buckets ? [[name, buckets]] : [],
  )
  const bucket = [{ binding: 'ARCHIVE', bucket_name: 'edgebook-archive-staging' }]
  expect(Object.fromEntries(bound)).toEqual({
    'edgebook-auctions-sepolia-staging': bucket,
    'edgebook-debug-sepolia-staging': bucket,
  })
  expect(planned.buckets).toEqual(['edgebook-archive-staging'])
  expect(plan(toSettings({ sepolia: complete, base: archiving })).buckets).toEqual([])
  const ofAuctions = planned.workers.filter(({ config }) => config.name === 'edgebook-auctions-sepolia-staging')
  expect(ofAuctions.map(({ config }) => config.vars?.ARCHIVE_AFTER_DAYS)).toEqual(['30'])
})

test('another network remains bound and its Workers unchanged', () => {
  const planned = plan(toSettings({ sepolia: complete, base: complete }))
  expect(planned.workers.map(({ config }) => config.name)).not.toContain('edgebook-orders-base')
  expect(findWorker(planned, 'edgebook-gateway')?.config.services).toContainEqual({
    binding: 'ORDERS_BASE',
    service: 'edgebook-orders-base',
  })
  expect(JSON.parse(findWorker(planned, 'edgebook-tokens')?.secrets.RPC_URLS ?? '')).toEqual({
    base: complete.RPC_URL,
    sepolia: complete.RPC_URL,
  })
})

test('gives shared Workers the shared database, or the one of all networks', () => {
  const database = 'postgres://user:password@127.0.0.1:9/shared'
  const own = plan(toSettings({ sepolia: complete }))
  expect(own.databaseUrls).toEqual([complete.DATABASE_URL])
  const shared = plan(toSettings({ sepolia: complete }, { ...completeShared, DATABASE_URL: database }))
  expect(findWorker(shared, 'edgebook-affiliate')?.secrets.DATABASE_URL).toBe(database)
  expect(shared.databaseUrls).toEqual([complete.DATABASE_URL, database])
})

test('migrates with the role that owns the tables, of the same database alone', () => {
  const database = 'postgres://workers:password@one-pooler.neon.example/book?sslmode=require'
  const owner = 'postgres://owner:password@one.neon.example/book'
  const shared = { ...completeShared, DATABASE_URL: database, MIGRATIONS_DATABASE_URL: owner }
  expect(plan(toSettings({ sepolia: complete })).ownerUrls).toEqual(new Map())
  expect(plan(toSettings({ sepolia: complete }, shared)).ownerUrls).toEqual(new Map([[database, owner]]))
  const other = { ...complete, MIGRATIONS_DATABASE_URL: owner }
  expect(() => plan(toSettings({ sepolia: other }, completeShared))).toThrow(
    'MIGRATIONS_DATABASE_URL is one.neon.example/book, DATABASE_URL beside it',
  )
})

const findAll = (settings: DeploymentSettings) => {
  const faults = findFaults({
    dir: root,
    variables: {},
    environment: 'production',
    network: 'sepolia',
    settings,
    workers: plan(settings).workers,
  })
  return Object.fromEntries(faults.map(({ setting, fault, file }) => [setting, `${file}: ${fault}`]))
}

test('accepts complete settings', async () => {
  expect(findAll(toSettings({ sepolia: complete }))).toEqual({})
})

test.each<[what: string, own: Settings, shared: Settings, expected: Record<string, unknown>]>([
  [
    'nothing at all',
    {},
    {},
    {
      CONTRACTS: '.env.sepolia: missing',
      DATABASE_URL: '.env.sepolia: missing',
      RPC_URL: '.env.sepolia: missing',
      SOLVERS: '.env.sepolia: missing',
    },
  ],
  [
    'a misspelt name',
    { ...complete, RPC_ULR: 'x' },
    { ...completeShared, COINGEKO_API_KEY: 'x' },
    {
      RPC_ULR: '.env.sepolia: unknown setting',
      COINGEKO_API_KEY: '.env.shared: unknown setting',
    },
  ],
  [
    'a setting in the wrong file',
    { ...complete, EMAIL_FROM: 'a@b.c' },
    completeShared,
    { EMAIL_FROM: '.env.sepolia: belongs to the shared file' },
  ],
  [
    'a missing solver key',
    { ...complete, SOLVER_PRIVATE_KEY_DIRECT: '' },
    completeShared,
    { SOLVER_PRIVATE_KEY_DIRECT: '.env.sepolia: missing' },
  ],
  [
    'an invalid key',
    { ...complete, SOLVER_PRIVATE_KEY_DIRECT: '0x12' },
    completeShared,
    { SOLVER_PRIVATE_KEY_DIRECT: expect.stringContaining('64 hexadecimal') },
  ],
  [
    'a key without an account',
    { ...complete, SOLVER_PRIVATE_KEY_DIRECT: `0x${'0'.repeat(64)}` },
    completeShared,
    { SOLVER_PRIVATE_KEY_DIRECT: expect.stringContaining('secp256k1') },
  ],
  [
    'two solvers with one account',
    {
      ...complete,
      SOLVERS: '[{"name":"direct","strategy":"direct"},{"name":"multihop","strategy":"multihop"}]',
      SOLVER_PRIVATE_KEY_MULTIHOP: solverKey,
    },
    completeShared,
    { SOLVERS: expect.stringContaining('same account') },
  ],
  [
    'solvers that are not a list',
    { ...complete, SOLVERS: 'direct' },
    completeShared,
    { SOLVERS: expect.stringContaining('not valid JSON') },
  ],
  [
    'a placeholder',
    { ...complete, DEBUG_TOKEN: '<your token here>' },
    completeShared,
    { DEBUG_TOKEN: '.env.sepolia: still a placeholder' },
  ],
  [
    'a guessable token',
    { ...complete, DEBUG_TOKEN: 'secret' },
    completeShared,
    { DEBUG_TOKEN: expect.stringContaining('16 characters') },
  ],
  [
    'addresses of other kinds',
    complete,
    { ...completeShared, DOMAIN: 'https://api.example.org', ALERT_EMAIL: 'operator' },
    {
      DOMAIN: '.env.shared: a host without scheme and path; got "https://api.example.org"',
      ALERT_EMAIL: '.env.shared: an e-mail address; got "operator"',
    },
  ],
  [
    'a gateway without a scheme',
    complete,
    { ...completeShared, PUBLIC_URL: 'api.example.org' },
    { PUBLIC_URL: '.env.shared: an http or https URL; got "api.example.org"' },
  ],
  [
    'alarms by mail without a provider',
    complete,
    { ...completeShared, ALERT_EMAIL: 'a@b.example' },
    { ALERT_EMAIL: expect.stringContaining('needs EMAIL_API_KEY and EMAIL_FROM') },
  ],
  [
    'a value too large for the platform',
    { ...complete, BANNED_USERS: Array.from({ length: 150 }, () => network.wrappedNative).join() },
    completeShared,
    { BANNED_USERS: expect.stringContaining('5120 bytes') },
  ],
  [
    'values that a Worker refuses',
    { ...complete, MAX_GAS_PER_ORDER: '-1', FEE_POLICIES: '{}' },
    { ...completeShared, STREAMS_PER_CLIENT: 'many' },
    {
      MAX_GAS_PER_ORDER: expect.stringContaining('.env.sepolia'),
      FEE_POLICIES: expect.stringContaining('.env.sepolia'),
      STREAMS_PER_CLIENT: expect.stringContaining('.env.shared'),
    },
  ],
])('rejects %s with the file to fix', async (_, own, shared, expected) => {
  const filled = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''))
  expect(findAll(toSettings({ sepolia: filled }, shared))).toEqual(expected)
})

test('rejects separate databases without one for the shared Workers', async () => {
  const other = { ...complete, DATABASE_URL: 'postgres://user:password@127.0.0.1:9/other' }
  expect(findAll(toSettings({ sepolia: complete, base: other }))).toEqual({
    DATABASE_URL: expect.stringContaining('.env.shared'),
  })
})

/** An account with these Workers. */
const adapt = (settings: DeploymentSettings, existing: string[]) => {
  const lines: string[] = []
  const adapted = adaptToAccount({
    network: 'sepolia',
    environment: 'production',
    settings,
    plan: plan(settings),
    makePlan: async (others) =>
      planDeployment({ bases, settings, environment: 'production', network: 'sepolia', others, version: 'v1' }),
    run: async ([command, , , name = '']) =>
      command === 'whoami' || existing.includes(name)
        ? { succeeded: true, output: '[]' }
        : { succeeded: false, output: 'This Worker does not exist on your account. [code: 10007]' },
    log: (line) => lines.push(line),
  })
  return { adapted, lines }
}

test('binds shared Workers to the deployed Workers of another network', async () => {
  const settings = toSettings({ sepolia: complete, base: complete, gnosis: complete })
  const { adapted, lines } = adapt(settings, ['edgebook-orders-base', 'edgebook-quotes-base'])
  const services = findWorker(await adapted, 'edgebook-gateway')?.config.services?.map(({ binding }) => binding)
  expect(services).toEqual(expect.arrayContaining(['ORDERS_SEPOLIA', 'ORDERS_BASE', 'QUOTES_BASE', 'TOKENS']))
  expect(services?.filter((binding) => /DEBUG_BASE|_GNOSIS/.test(binding))).toEqual([])
  expect(lines.join()).toContain('gnosis has settings, but is not deployed')
})

test('rejects a deployed network without settings here, and an account whose Workers cannot be listed', async () => {
  await expect(adapt(toSettings({ sepolia: complete }), ['edgebook-orders-gnosis']).adapted).rejects.toThrow(
    'gnosis is deployed, but .env.gnosis is not here',
  )
  const settings = toSettings({ sepolia: complete })
  const runCheck = (run: (args: readonly string[]) => Promise<{ succeeded: boolean; output: string }>) =>
    adaptToAccount({
      network: 'sepolia',
      environment: 'production',
      settings,
      plan: plan(settings),
      makePlan: async () => plan(settings),
      run,
      log: () => undefined,
    })
  await expect(runCheck(async () => ({ succeeded: false, output: '' }))).rejects.toThrow('npx wrangler login')
  await expect(
    runCheck(async ([command]) => ({ succeeded: command === 'whoami', output: 'fetch failed' })),
  ).rejects.toThrow('cannot tell whether')
})
