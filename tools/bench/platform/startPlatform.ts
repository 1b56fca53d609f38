import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { connectDatabase, type Database } from '#schema/client.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { type NetworkName, networks } from '#shared/networks.ts'
import { applyMigrations } from '../../stack/applyMigrations.ts'
import { devAccounts } from '../../stack/chain/devAccounts.ts'
import { prepareChain } from '../../stack/chain/prepareChain.ts'
import { startAnvil } from '../../stack/chain/startAnvil.ts'
import { databaseEndpoint } from '../../stack/databaseEndpoint.ts'
import { findPort } from '../../stack/processes/findPort.ts'
import { startReaper } from '../../stack/processes/startReaper.ts'
import { waitUntilReady } from '../../stack/processes/waitUntilReady.ts'
import { buildNotificationVars } from '../../stack/sinks/buildNotificationVars.ts'
import { buildWorkerdConfig } from '../../workerd/buildWorkerdConfig.ts'
import { buildWorkers } from '../../workers/buildWorkers.ts'
import { bundleWorkers } from '../../workers/bundleWorkers.ts'
import { deriveWorkerConfigs } from '../../workers/deriveWorkerConfigs.ts'
import type { NetworkDeployment } from '../../workers/networkDeployment.ts'
import { readWorkerConfigs } from '../../workers/readWorkerConfigs.ts'
import type { WorkerConfig } from '../../workers/workerConfig.ts'
import { bundleFloors } from '../floors/bundleFloors.ts'
import { insertHistory } from '../history/insertHistory.ts'
import { collectHeaps, type Heap } from '../workerd/collectHeaps.ts'
import { startWorkerd } from '../workerd/startWorkerd.ts'
import { countRoundTrips } from './countRoundTrips.ts'
import { type BenchDatabase, openBenchDatabase } from './openBenchDatabase.ts'

const repository = join(import.meta.dirname, '../../..')
const network = networks.sepolia
const readyTimeoutMs = 60_000
/** No subscriptions exist, so nothing is sent. */
const noSinks = 'http://127.0.0.1:1'
const solvers = [
  { name: 'direct', account: devAccounts[8] },
  { name: 'multihop', account: devAccounts[9] },
]

export type Platform = {
  /** base URL of the gateway */
  baseUrl: string
  rpcUrl: string
  database: Database
  tokens: Record<string, { address: Address; decimals: number }>
  /** base URLs of the floor Workers, in the same process as the product */
  floors: { hono: string; driver: string }
  /** process ids: `api` serves requests, `engine` runs auctions, solvers and notifier */
  processes: { api: number; engine: number; anvil: number }
  /** heaps of the Workers of `api` and `engine` after a collection; only with `inspected` */
  collectHeaps: () => Promise<Record<'api' | 'engine', Record<string, Heap>>>
  /** database round trips of `api` so far */
  countRoundTrips: () => number
  stop: () => Promise<void>
}

export type PlatformOptions = {
  blockTime: number
  inspected?: boolean
  /** the handlers share one isolate, as those of `npm run serve` */
  isCombined?: boolean
  /** orders that the network already has, with all that follows from them; needs `TEST_DATABASE_URL` */
  history?: number | undefined
}

/**
 * The Workers of one network on two plain workerds, over a real database and a real chain with two solvers. Auctions,
 * notifier and solvers run elsewhere in a deployment and have their own process here, so the CPU time of the other one
 * is that of requests alone.
 * @param options.inspected allows collecting their heaps; an inspector slows every request down
 */
export const startPlatform = async (options: PlatformOptions): Promise<Platform> => {
  const dir = await mkdtemp(join(tmpdir(), 'edgebook-bench-'))
  await mkdir(join(dir, 'logs'))
  const undo: (() => unknown)[] = [() => rm(dir, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step; step = undo.pop()) await step()
  }
  try {
    return await start(dir, options, undo, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

const start = async (
  dir: string,
  options: PlatformOptions,
  undo: (() => unknown)[],
  stop: () => Promise<void>,
): Promise<Platform> => {
  const reaper = startReaper()
  undo.push(reaper.close)
  const { chainId } = network
  const { blockTime, history = 0 } = options
  // the blocks of the history come before
  const firstBlock = history === 0 ? 0 : history + 1
  const anvil = await startAnvil({ dir, port: await findPort(0, 'RPC_PORT'), chainId, blockTime, firstBlock, reaper })
  undo.push(anvil.stop)
  const { rpcUrl } = anvil
  const { tokens } = await prepareChain(anvil.chain, {
    solvers: solvers.map(({ account }) => account.address),
    traders: devAccounts.slice(0, 4).map(({ address }) => address),
  })
  const backend = await openBenchDatabase(dir)
  undo.push(backend.close)
  const apiCounter = countRoundTrips(backend)
  const apiEndpoint = await databaseEndpoint({ backend: apiCounter.backend, port: 0 })
  undo.push(apiEndpoint.close)
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  undo.push(endpoint.close)
  await applyMigrations(endpoint.databaseUrl)
  if (history > 0) await fillHistory(backend, endpoint.databaseUrl, history)

  const bases = await buildWorkers(repository, await readWorkerConfigs(repository))
  const floors = await bundleFloors(bases.gateway, join(dir, 'floors'))
  const notificationVars = buildNotificationVars(noSinks, noSinks)
  const deployment: NetworkDeployment = {
    network: network.name as NetworkName,
    settings: { DATABASE_URL: apiEndpoint.databaseUrl, RPC_URL: rpcUrl },
    solvers: solvers.map(({ name, account }) => ({
      name,
      address: account.address,
      vars: { SOLVER_STRATEGY: name, SOLVER_PRIVATE_KEY: account.privateKey },
    })),
    vars: {
      accounts: notificationVars.accounts,
      notifier: { DATABASE_URL: endpoint.databaseUrl, ...notificationVars.notifier },
      // no platform cache here: the gateway caches in memory
      gateway: { CACHE: 'memory' },
      auctions: {
        DATABASE_URL: endpoint.databaseUrl,
        SOLVE_TIME_MS: '2000',
        START_BLOCK: String(firstBlock),
      },
      // the only chain here also serves as mainnet
      affiliate: { MAINNET_RPC_URL: rpcUrl },
      orders: { MAX_LIMIT_ORDERS_PER_USER: '1000000', MAX_OPEN_ORDERS_PER_USER: '1000000' },
      tokens: {
        HOLDER_TOKENS: JSON.stringify({ [network.name]: { [tokens.DAI.address]: 0, [tokens.COW.address]: 0 } }),
      },
    },
  }
  const configs = deriveWorkerConfigs(bases, [deployment], [])
  const isEngine = ({ name }: WorkerConfig) => /-(auctions|solver|notifier)\b/.test(name)
  const engine = configs.filter(isEngine)
  const driverFloor = { ...floors.driverFloor, vars: { DATABASE_URL: apiEndpoint.databaseUrl } }
  const api = [...configs.filter((config) => !isEngine(config)), floors.honoFloor, driverFloor]
  const enginePorts = await findPorts(engine)
  const apiPorts = await findPorts(api)
  const edge = options.isCombined
    ? await buildEdge(
        dir,
        configs.filter((config) => !isEngine(config)),
      )
    : undefined
  const edgePort = await findPort(0, 'PORT')
  const apiSockets = { ...toSockets(apiPorts), ...(edge ? { edge: `127.0.0.1:${edgePort}` } : {}) }
  const inspectors = options.inspected
    ? { api: await findPort(0, 'PORT'), engine: await findPort(0, 'PORT') }
    : undefined
  const engineProcess = await startWorkerd({
    name: 'engine',
    dir,
    inspectorPort: inspectors?.engine,
    buildConfig: (file, storage) =>
      buildWorkerdConfig({ workers: engine, sockets: toSockets(enginePorts), elsewhere: apiPorts, storage }, file),
    reaper,
  })
  undo.push(() => engineProcess.stop())
  const apiProcess = await startWorkerd({
    name: 'api',
    dir,
    inspectorPort: inspectors?.api,
    buildConfig: (file, storage) =>
      buildWorkerdConfig({ workers: api, sockets: apiSockets, elsewhere: enginePorts, storage, edge }, file),
    reaper,
  })
  undo.push(() => apiProcess.stop())
  const urlOf = ({ name }: WorkerConfig) => `http://127.0.0.1:${apiPorts[name]}`
  const baseUrl = edge ? `http://127.0.0.1:${edgePort}` : urlOf(bases.gateway)
  const ended = Promise.race([apiProcess.ended, engineProcess.ended])
  await waitUntilReady(baseUrl, { ended, timeoutMs: readyTimeoutMs })
  return {
    baseUrl,
    rpcUrl,
    database: connectDatabase(endpoint.databaseUrl),
    tokens,
    floors: { hono: urlOf(floors.honoFloor), driver: urlOf(driverFloor) },
    processes: { api: apiProcess.pid, engine: engineProcess.pid, anvil: anvil.group.pid },
    collectHeaps: async () => {
      if (!inspectors) throw new Error('the platform was started without inspectors')
      return {
        api: await collectHeaps(inspectors.api, edge ? { ...apiPorts, edge: edgePort } : apiPorts),
        engine: await collectHeaps(inspectors.engine, enginePorts),
      }
    },
    countRoundTrips: apiCounter.read,
    stop,
  }
}

const fillHistory = async ({ serverUrl }: BenchDatabase, databaseUrl: string, orders: number): Promise<void> => {
  if (!serverUrl) throw new Error('a history needs a Postgres server: set TEST_DATABASE_URL')
  await insertHistory(serverUrl, network.chainId, orders)
  // the chain has others
  await connectDatabase(databaseUrl).delete(blocks)
}

/** The gateway comes first in the configurations. */
const buildEdge = async (dir: string, configs: readonly WorkerConfig[]) => {
  const main = join(repository, 'tools/serve/platform/combine.ts')
  const { combine: bundle } = await bundleWorkers({ combine: main }, join(dir, 'combine'))
  return { workers: configs.map(({ name }) => name), bundle, proxies: ['127.0.0.1'] }
}

const toSockets = (ports: Record<string, number>): Record<string, string> =>
  Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, `127.0.0.1:${port}`]))

const findPorts = async (workers: readonly WorkerConfig[]): Promise<Record<string, number>> => {
  const ports: Record<string, number> = {}
  for (const { name } of workers) ports[name] = await findPort(0, 'PORT')
  return ports
}
