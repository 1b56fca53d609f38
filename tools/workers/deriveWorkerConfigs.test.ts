import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deriveWorkerConfigs, type NetworkDeployment } from './deriveWorkerConfigs.ts'
import { readWorkerConfigs } from './readWorkerConfigs.ts'
import { writeWorkerConfigs } from './writeWorkerConfigs.ts'

let root: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'workers-'))
  const write = async (folder: string, text: string) => {
    await mkdir(join(root, folder), { recursive: true })
    await writeFile(join(root, folder, 'wrangler.toml'), text)
  }
  await write('.', 'name = "edgebook-gateway"\nmain = "functions/gateway/index.ts"\n')
  for (const group of ['quotes', 'orders', 'debug', 'solver'])
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
    { name: 'late', address: '0x02', url: 'http://127.0.0.1:9', timeoutMs: 500 },
  ],
  vars: { auctions: { SOLVE_TIME_MS: '2000' } },
}

test('names, binds and sets the Workers of a network', async () => {
  const configs = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment])
  expect(configs.map(({ name }) => name)).toEqual([
    'edgebook-gateway',
    'edgebook-quotes-sepolia',
    'edgebook-orders-sepolia',
    'edgebook-debug-sepolia',
    'edgebook-auctions-sepolia',
    'edgebook-solver-direct-sepolia',
  ])
  const [gateway, quotes, orders, debug, auctions, solver] = configs
  expect(gateway).toMatchObject({
    main: join(root, 'functions/gateway/index.ts'),
    services: [
      { binding: 'QUOTES_SEPOLIA', service: 'edgebook-quotes-sepolia' },
      { binding: 'ORDERS_SEPOLIA', service: 'edgebook-orders-sepolia' },
      { binding: 'DEBUG_SEPOLIA', service: 'edgebook-debug-sepolia' },
      { binding: 'AUCTIONS_SEPOLIA', service: 'edgebook-auctions-sepolia' },
    ],
  })
  const solverService = { binding: 'SOLVER_DIRECT', service: 'edgebook-solver-direct-sepolia' }
  const SOLVERS = JSON.stringify([
    { name: 'direct', address: '0x01', binding: 'SOLVER_DIRECT' },
    { name: 'late', address: '0x02', url: 'http://127.0.0.1:9', timeoutMs: 500 },
  ])
  expect(quotes).toMatchObject({
    vars: { NETWORK: 'sepolia', ...deployment.settings, SOLVERS },
    services: [solverService],
  })
  expect(orders).toMatchObject({
    vars: { NETWORK: 'sepolia', ...deployment.settings },
    services: [{ binding: 'AUCTIONS', service: 'edgebook-auctions-sepolia' }],
  })
  expect(debug?.vars).toEqual({ NETWORK: 'sepolia', DATABASE_URL: 'postgres://db' })
  expect(auctions).toEqual({
    name: 'edgebook-auctions-sepolia',
    main: join(root, 'functions/auctions/index.ts'),
    compatibility_flags: ['nodejs_compat'],
    durable_objects: { bindings: [{ name: 'CLOCK', class_name: 'AuctionClock' }] },
    triggers: { crons: ['* * * * *'] },
    vars: { NETWORK: 'sepolia', ...deployment.settings, SOLVERS, SOLVE_TIME_MS: '2000' },
    services: [solverService],
  })
  expect(solver?.vars).toEqual({
    NETWORK: 'sepolia',
    RPC_URL: 'http://rpc',
    SOLVER_NAME: 'direct',
    SOLVER_STRATEGY: 'direct',
    SOLVER_PRIVATE_KEY: '0xkey',
  })
})

test('two networks share the gateway and nothing else', async () => {
  const other: NetworkDeployment = { ...deployment, network: 'arbitrum_one', solvers: [] }
  const configs = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment, other])
  expect(configs[0]?.services).toContainEqual({
    binding: 'ORDERS_ARBITRUM_ONE',
    service: 'edgebook-orders-arbitrum-one',
  })
  const names = configs.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, services } of configs.slice(1))
    for (const { service } of services ?? []) expect(service.endsWith(name.split('-').slice(-1).join())).toBe(true)
})

test('the files hold the configurations, and those of an earlier start are gone', async () => {
  const folder = join(root, 'out')
  const [gateway, ...others] = deriveWorkerConfigs(await readWorkerConfigs(root), [deployment])
  if (!gateway) throw new Error('no gateway')
  const [, first] = await writeWorkerConfigs(folder, [gateway, ...others])
  const files = await writeWorkerConfigs(folder, [gateway])
  expect(files).toEqual([join(folder, 'edgebook-gateway/wrangler.json')])
  expect(JSON.parse(await readFile(files[0] ?? '', 'utf8'))).toEqual(gateway)
  await expect(readFile(first ?? '')).rejects.toThrow('ENOENT')
})

test('names the wrangler.toml that is missing', async () => {
  await expect(readWorkerConfigs(join(root, 'functions'))).rejects.toThrow('wrangler.toml is missing')
})
