import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Address } from 'viem'
import { type NetworkName, networks } from '#shared/networks.ts'
import { buildAssets } from '../workers/buildAssets.ts'
import { buildWorkers } from '../workers/buildWorkers.ts'
import { deriveWorkerConfigs, type SolverDeployment } from '../workers/deriveWorkerConfigs.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import type { RateLimitBinding } from '../workers/workerConfig.ts'
import type { WorkerGroup } from '../workers/workerGroups.ts'
import { writeWorkerConfigs } from '../workers/writeWorkerConfigs.ts'
import { applyMigrations } from './applyMigrations.ts'
import type { ChainClient } from './chain/connectChain.ts'
import { devAccounts } from './chain/devAccounts.ts'
import { checkSameChain } from './database/checkSameChain.ts'
import { openDatabase } from './database/openDatabase.ts'
import { databaseEndpoint } from './databaseEndpoint.ts'
import { emptyFolder } from './folder/emptyFolder.ts'
import { lockFolder } from './folder/lockFolder.ts'
import { findPort } from './processes/findPort.ts'
import type { ProcessGroup } from './processes/spawnGroup.ts'
import { startReaper } from './processes/startReaper.ts'
import { buildNotificationVars } from './sinks/buildNotificationVars.ts'
import { startSinks } from './sinks/startSinks.ts'
import { type StackInfo, stackInfoFile, writeStackInfo } from './stackInfo.ts'
import { type LocalNetwork, startNetwork } from './startNetwork.ts'
import { startWorkers } from './startWorkers.ts'

const repository = join(import.meta.dirname, '../..')

const traders = devAccounts.slice(0, 4)
const ownSolvers = [
  { name: 'direct', account: devAccounts[8] },
  { name: 'multihop', account: devAccounts[9] },
] as const

export type StackOptions = {
  /** keeps chain, database, Durable Objects and logs; default `.edgebook` */
  dir?: string
  /** of the gateway, the chain and the database; 0 takes any free port */
  port?: number
  rpcPort?: number
  dbPort?: number
  /** where notifications are delivered to; 0, the default, takes any free port */
  sinksPort?: number
  /** each with a chain of its own, behind one gateway and one database; Sepolia alone when not given */
  networks?: [NetworkName, ...NetworkName[]]
  /** forgets everything that an earlier start kept */
  fresh?: boolean
  /** a Postgres server in place of the built-in one; the database must be the stack's alone */
  databaseUrl?: string | undefined
  /** seconds between two blocks without transactions */
  blockTime?: number
  /** drivers that compete beside the two solvers of the stack, allow-listed like them */
  extraSolvers?: { name: string; address: Address; url: string; timeoutMs?: number }[]
  /** settings of Workers beyond the stack's own */
  vars?: Partial<Record<WorkerGroup, Record<string, string>>>
  /** counts requests: as wrangler.toml says, or in these bindings; otherwise nobody is limited */
  rateLimits?: true | RateLimitBinding[]
  /** folder with wrangler.toml and functions/ */
  root?: string
  /** runs the Workers from bundles as they would be deployed; otherwise they follow their sources */
  bundled?: boolean
  /** ends a start that is under way: `startStack` rejects once all is stopped */
  signal?: AbortSignal
  /** receives what the stack does, and the output of its children with their name in front */
  log?: (line: string) => void
}

export type Stack = {
  /** of the first network */
  info: StackInfo
  chain: ChainClient
  /** the same for each network, in their order */
  infos: StackInfo[]
  chains: ChainClient[]
  workers: {
    stop: () => Promise<void>
    /** SIGKILL: nothing is finished, nothing is written */
    kill: () => Promise<void>
    start: () => Promise<void>
  }
  /** resolves with one line when a child ends by itself */
  failed: Promise<string>
  stop: () => Promise<void>
}

type UndoStep = () => unknown

/**
 * Brings up database, chain, contracts and Workers on 127.0.0.1, continuing what `dir` holds, and writes `stack.json`.
 * When something fails, all that runs by then is stopped first.
 * @throws Error in one clear line: a port taken, a folder in use, a program missing, a child that died
 */
export const startStack = async (options: StackOptions = {}): Promise<Stack> => {
  const dir = resolve(options.dir ?? '.edgebook')
  const undo: UndoStep[] = []
  const stop = async (): Promise<void> => {
    for (let step = undo.pop(); step; step = undo.pop()) {
      try {
        await step()
      } catch (error) {
        options.log?.(`while stopping: ${error instanceof Error ? error.message : error}`)
      }
    }
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
  options: StackOptions,
  undo: UndoStep[],
  stop: () => Promise<void>,
): Promise<Stack> => {
  const { fresh = false, extraSolvers = [], log = () => undefined, signal } = options
  await mkdir(dir, { recursive: true })
  undo.push(await lockFolder(dir))
  if (fresh) await emptyFolder(dir)
  await mkdir(join(dir, 'logs'), { recursive: true })
  const port = await findPort(options.port ?? 8787, 'PORT')
  const rpcPort = await findPort(options.rpcPort ?? 8545, 'RPC_PORT')
  const dbPort = await findPort(options.dbPort ?? 5433, 'DB_PORT')
  const sinksPort = await findPort(options.sinksPort ?? 0, 'SINKS_PORT')
  const baseUrl = `http://127.0.0.1:${port}`
  const reaper = startReaper()
  undo.push(reaper.close)
  // With the children gone, whatever waits for them gives up.
  signal?.addEventListener('abort', reaper.close)

  const bringUpNetworks = () => {
    const { networks: names = ['sepolia'], blockTime = 2 } = options
    const started = names.map((name, index) =>
      startNetwork({
        network: networks[name],
        dir: index === 0 ? dir : join(dir, name),
        rpcPort: index === 0 ? rpcPort : 0,
        blockTime,
        solvers: [...ownSolvers.map(({ account }) => account.address), ...extraSolvers.map(({ address }) => address)],
        traders: traders.map(({ address }) => address),
        reaper,
        log,
        undo,
      }),
    )
    return settle(...started)
  }
  const bringUpDatabase = async () => {
    const backend = await openDatabase({ dir, databaseUrl: options.databaseUrl, fresh })
    undo.push(backend.close)
    const endpoint = await databaseEndpoint({ backend, port: dbPort })
    undo.push(endpoint.close)
    const applied = await applyMigrations(endpoint.databaseUrl)
    log(applied > 0 ? 'database: schema brought up to date' : 'database: continued')
    return { backend, endpoint }
  }
  const bringUpConfigs = async () => {
    const { root = repository, bundled = false } = options
    const configs = await readWorkerConfigs(root)
    const { assets } = configs.gateway
    if (assets) await buildAssets(root, assets.directory)
    return bundled ? buildWorkers(root, configs) : configs
  }
  const [local, { backend, endpoint }, bases] = await settle(bringUpNetworks(), bringUpDatabase(), bringUpConfigs())
  const firstBlocks = await Promise.all(local.map(({ anvil }) => anvil.chain.getBlock({ blockNumber: 1n })))
  await checkSameChain(backend, {
    firstBlock: firstBlocks.map(({ hash }) => hash).join(),
    isNew: local.some(({ anvil }) => anvil.isNew),
  })
  await Promise.all(local.map(({ anvil }) => anvil.keep()))

  const sinks = await startSinks({ port: sinksPort, baseUrl })
  undo.push(sinks.close)
  const notificationVars = buildNotificationVars(baseUrl, sinks.url)

  const solvers: SolverDeployment[] = [
    ...ownSolvers.map(({ name, account }) => ({
      name,
      address: account.address,
      vars: { SOLVER_STRATEGY: name, SOLVER_PRIVATE_KEY: account.privateKey },
    })),
    ...extraSolvers,
  ]
  const localRpcUrls = Object.fromEntries(local.map(({ network, anvil }) => [network.name, anvil.rpcUrl]))
  const deployments = local.map(({ network, anvil, prepared }) => ({
    network: network.name as NetworkName,
    settings: { DATABASE_URL: endpoint.databaseUrl, RPC_URL: anvil.rpcUrl },
    solvers,
    vars: {
      ...options.vars,
      // no platform's cache stands before this gateway
      gateway: {
        CACHE: 'memory',
        // no front that sets it stands before this gateway
        CLIENT_ADDRESS_HEADER: '',
        LOCAL_RPC_URLS: JSON.stringify(localRpcUrls),
        ...options.vars?.gateway,
      },
      quotes: { LISTED_TOKENS: listTokens(prepared).join(), ...options.vars?.quotes },
      auctions: { SOLVE_TIME_MS: '2000', TICK_INTERVAL_MS: '500', ...options.vars?.auctions },
      // Prices are known a little after the solvers are; more often than five minutes, the first ones come soon.
      markets: { PRICE_SAMPLE_INTERVAL_MS: '30000', ...options.vars?.markets },
      accounts: { BALANCES_POLL_MS: '1000', ...notificationVars.accounts, ...options.vars?.accounts },
      notifier: { ...notificationVars.notifier, ...options.vars?.notifier },
      // the only chain here stands for mainnet, too: contract wallets of affiliates live on it
      affiliate: { MAINNET_RPC_URL: anvil.rpcUrl, STATS_API_KEY: 'on', ...options.vars?.affiliate },
      tokens: { HOLDER_TOKENS: buildHolderTokens(local), ...options.vars?.tokens },
    },
  }))
  const { rateLimits = [] } = options
  const configs = deriveWorkerConfigs(bases, deployments, rateLimits === true ? bases.gateway.ratelimits : rateLimits)
  signal?.throwIfAborted()
  const configFiles = await writeWorkerConfigs(join(dir, 'workers'), configs)

  let reportFailure: (reason: string) => void = () => undefined
  const failed = new Promise<string>((report) => {
    reportFailure = report
  })
  const watch = (group: ProcessGroup): ProcessGroup => {
    void group.ended.then((reason) => reason && reportFailure(reason))
    return group
  }
  for (const { anvil } of local) watch(anvil.group)
  const launch = async (): Promise<ProcessGroup> =>
    watch(await startWorkers({ dir, configFiles, port, reaper, log: (line) => log(`[workers] ${line}`) }))
  let workers = await launch()
  undo.push(() => workers.stop())
  log('workers: ready')

  const infos = local.map(
    ({ network, rpcUrl, prepared }): StackInfo => ({
      baseUrl,
      sinksUrl: sinks.url,
      network: network.name,
      chainId: network.chainId,
      rpcUrl,
      databaseEndpoint: endpoint.url,
      databaseUrl: endpoint.databaseUrl,
      contracts: prepared.contracts,
      tokens: prepared.tokens,
      accounts: traders,
      solvers: solvers.map(({ name, address }) => ({ name, address: address as Address })),
    }),
  )
  const chains = local.map(({ anvil }) => anvil.chain)
  const [[info], [chain]] = [infos, chains]
  if (!info || !chain) throw new Error('a stack needs a network')
  signal?.throwIfAborted()
  signal?.removeEventListener('abort', reaper.close)
  await writeStackInfo(dir, info)
  undo.push(() => rm(stackInfoFile(dir), { force: true }))

  return {
    info,
    infos,
    chain,
    chains,
    workers: {
      stop: () => workers.stop(),
      kill: () => workers.kill(),
      start: async () => {
        workers = await launch()
      },
    },
    failed,
    stop,
  }
}

const listTokens = ({ tokens }: LocalNetwork['prepared']): Address[] =>
  Object.values(tokens).map(({ address }) => address)

/** Every token of the stack, from the first block on. */
const buildHolderTokens = (local: readonly LocalNetwork[]): string =>
  JSON.stringify(
    Object.fromEntries(
      local.map(({ network, prepared }) => [
        network.name,
        Object.fromEntries(listTokens(prepared).map((address) => [address, 0])),
      ]),
    ),
  )

/** All of them or the first failure, but never before each has come to its end: what is under way can be undone then. */
const settle = async <T extends readonly unknown[]>(...promises: { [K in keyof T]: Promise<T[K]> }): Promise<T> => {
  await Promise.allSettled(promises)
  return (await Promise.all(promises)) as unknown as T
}
