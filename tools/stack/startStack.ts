import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Address } from 'viem'
import type { NetworkName } from '#shared/networks.ts'
import { buildWorkers } from '../workers/buildWorkers.ts'
import { deriveWorkerConfigs } from '../workers/deriveWorkerConfigs.ts'
import type { SolverDeployment } from '../workers/networkDeployment.ts'
import { readWorkerConfigs } from '../workers/readWorkerConfigs.ts'
import { toSolverVars } from '../workers/toSolverVars.ts'
import type { RateLimitBinding } from '../workers/workerConfig.ts'
import type { WorkerGroup } from '../workers/workerGroups.ts'
import { writeWorkerConfigs } from '../workers/writeWorkerConfigs.ts'
import type { LocalChain } from './chain/connectLocalChain.ts'
import type { HarshOptions } from './chain/harsh/harshOptions.ts'
import { startHarshNetwork, startHarshNode } from './chain/harsh/startHarshNetwork.ts'
import type { SqlBackend } from './database/sqlBackend.ts'
import { emptyFolder } from './folder/emptyFolder.ts'
import { lockFolder } from './folder/lockFolder.ts'
import { followSources } from './followSources.ts'
import { findPort } from './processes/findPort.ts'
import { settle } from './processes/settle.ts'
import type { ProcessGroup } from './processes/spawnGroup.ts'
import { startReaper } from './processes/startReaper.ts'
import type { UndoStep } from './processes/undoStep.ts'
import { buildNotificationVars } from './sinks/buildNotificationVars.ts'
import { startSinks } from './sinks/startSinks.ts'
import { type StackInfo, stackInfoFile, writeStackInfo } from './stackInfo.ts'
import type { LocalNetwork } from './startNetwork.ts'
import { engineAccounts, ownSolvers, startStores, traders } from './startStores.ts'
import { startWorkers } from './startWorkers.ts'

const repository = join(import.meta.dirname, '../..')

export type StackOptions = {
  /** stores chain, database, Durable Objects and logs; default `.edgebook` */
  dir?: string
  /** of gateway, chain and database; 0 takes any free port */
  port?: number
  rpcPort?: number
  dbPort?: number
  /** port of the notification sinks; 0, the default, takes any free port */
  sinksPort?: number
  /** each with its own chain, behind one gateway and one database; Sepolia when omitted */
  networks?: [NetworkName, ...NetworkName[]]
  /** deletes everything that an earlier start stored */
  fresh?: boolean
  /** a Postgres server instead of the embedded one; used by this stack only */
  databaseUrl?: string | undefined
  /** an open database, migrated, instead of either; it stays open */
  database?: SqlBackend | undefined
  /** seconds between two blocks without transactions */
  blockTime?: number
  /** by which the clocks of new chains are behind, so that their first blocks have earlier times; 0 when omitted */
  secondsBehind?: number
  /** blocks at an interval and competing traders, once the stack runs; otherwise a block for each transaction */
  harsh?: HarshOptions
  /**
   * whether chain and database are written to `dir`, for a later start; true when omitted. Otherwise the database is
   * empty
   */
  keepsData?: boolean
  /** drivers that compete with the stack's two solvers, allow-listed like them */
  extraSolvers?: { name: string; address: Address; url: string; timeoutMs?: number }[]
  /** solver engines, each with an account of the stack; at most three */
  engines?: { name: string; url: string }[]
  /** additional settings of Workers */
  vars?: Partial<Record<WorkerGroup, Record<string, string>>>
  /** enables rate limits: those of wrangler.toml, or of these bindings; off when omitted */
  rateLimits?: true | RateLimitBinding[]
  /** folder with wrangler.toml and functions/ */
  root?: string
  /** builds the Workers again after changes of their sources, and restarts them */
  follow?: boolean
  /** aborts a running start: `startStack` rejects once everything is stopped */
  signal?: AbortSignal
  /** receives progress, and the output of children with their name in front */
  log?: (line: string) => void
}

export type Stack = {
  /** of the first network */
  info: StackInfo
  chain: LocalChain
  /** of each network, in the given order */
  infos: StackInfo[]
  chains: LocalChain[]
  workers: {
    stop: () => Promise<void>
    /** SIGKILL, without saving */
    kill: () => Promise<void>
    /** begins one run of the crons of all Workers, after the one in progress: nothing else triggers them here */
    runCrons: () => void
    start: () => Promise<void>
  }
  /** resolves with one line when a child ends unexpectedly */
  failed: Promise<string>
  stop: () => Promise<void>
}

/**
 * Starts database, chain, contracts and Workers on 127.0.0.1, continues the state in `dir`, and writes `stack.json`.
 * After a failure everything started is stopped first.
 * @throws Error in one line: port taken, folder in use, program missing, child ended
 */
export const startStack = async (options: StackOptions): Promise<Stack> => {
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

/** Each solver has a name and an account of its own: else no Worker accepts the list, and the stack would wait for one. */
const checkDistinct = (solvers: readonly Pick<SolverDeployment, 'name' | 'address'>[]): void => {
  for (const [i, { name, address }] of solvers.entries())
    for (const other of solvers.slice(0, i)) {
      if (other.name === name) throw new Error(`two solvers have the name ${name}`)
      if (other.address === address)
        throw new Error(`the solvers ${other.name} and ${name} have the account ${address}`)
    }
}

const start = async (
  dir: string,
  options: StackOptions,
  undo: UndoStep[],
  stop: () => Promise<void>,
): Promise<Stack> => {
  const { fresh = false, follow = false, extraSolvers = [], log = () => undefined, signal } = options
  const engines = (options.engines ?? []).map(({ name, url }, i) => {
    const account = engineAccounts[i]
    if (!account) throw new Error(`at most ${engineAccounts.length} engines`)
    return { name, url, account }
  })
  const solvers: SolverDeployment[] = [
    ...ownSolvers.map(({ name, account }) => ({
      name,
      address: account.address,
      vars: { ...toSolverVars({ strategy: name }), SOLVER_PRIVATE_KEY: account.privateKey },
    })),
    ...engines.map(({ name, url, account }) => ({
      name,
      address: account.address,
      vars: { ...toSolverVars({ engine: url }), SOLVER_PRIVATE_KEY: account.privateKey },
    })),
    ...extraSolvers,
  ]
  checkDistinct(solvers)
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
  // Without its children every pending wait fails.
  signal?.addEventListener('abort', reaper.close)

  const { root = repository } = options
  const bringUpConfigs = async () => buildWorkers(root, await readWorkerConfigs(root))
  const stores = startStores({
    ...{ dir, rpcPort, dbPort, fresh, reaper, log, undo },
    networks: options.networks,
    databaseUrl: options.databaseUrl,
    database: options.database,
    blockTime: options.blockTime,
    secondsBehind: options.secondsBehind,
    keepsData: options.keepsData,
    solvers: [...extraSolvers, ...engines.map(({ account }) => account)].map(({ address }) => address),
  })
  const [{ local, endpoint }, bases] = await settle(stores, bringUpConfigs())

  const sinks = await startSinks({ port: sinksPort, baseUrl })
  undo.push(sinks.close)
  const notificationVars = buildNotificationVars(baseUrl, sinks.url)

  const nodeUrls = await Promise.all(local.map(({ anvil }) => startHarshNode(anvil.rpcUrl, options.harsh, undo)))
  const localRpcUrls = Object.fromEntries(local.map(({ network, anvil }) => [network.name, anvil.rpcUrl]))
  const deployments = local.map(({ network, prepared }, i) => ({
    network: network.name as NetworkName,
    settings: { DATABASE_URL: endpoint.databaseUrl, RPC_URL: nodeUrls[i] ?? '' },
    solvers,
    vars: {
      ...options.vars,
      // no platform cache in front of this gateway
      gateway: {
        CACHE: 'memory',
        // no proxy in front of this gateway sets it
        CLIENT_ADDRESS_HEADER: '',
        LOCAL_RPC_URLS: JSON.stringify(localRpcUrls),
        ...options.vars?.gateway,
      },
      quotes: { LISTED_TOKENS: listTokens(prepared).join(), ...options.vars?.quotes },
      auctions: {
        SOLVE_TIME_MS: '2000',
        // no one else places orders with the local chain's contract
        ONCHAIN_ORDER_CONTRACTS: network.ethFlow,
        ...options.vars?.auctions,
      },
      // Solvers have prices shortly after the start; a short interval samples them soon.
      markets: { PRICE_SAMPLE_INTERVAL_MS: '30000', ...options.vars?.markets },
      accounts: { BALANCES_POLL_MS: '1000', ...notificationVars.accounts, ...options.vars?.accounts },
      notifier: { ...notificationVars.notifier, ...options.vars?.notifier },
      // the only chain also serves as mainnet, for affiliates' contract wallets
      affiliate: { MAINNET_RPC_URL: nodeUrls[i] ?? '', STATS_API_KEY: 'on', ...options.vars?.affiliate },
      tokens: { HOLDER_TOKENS: buildHolderTokens(local), ...options.vars?.tokens },
    },
  }))
  const { rateLimits = [] } = options
  const writeConfigs = (built: typeof bases): Promise<string[]> => {
    const limits = rateLimits === true ? built.gateway.ratelimits : rateLimits
    return writeWorkerConfigs(join(dir, 'workers'), deriveWorkerConfigs(built, deployments, limits))
  }
  signal?.throwIfAborted()
  const configFiles = await writeConfigs(bases)

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
  const restart = async (built: typeof bases): Promise<void> => {
    await writeConfigs(built)
    process.kill(workers.pid, 'SIGHUP')
  }
  if (follow) undo.push(followSources(root, { built: bases, restart, log }))

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
  const { harsh } = options
  if (harsh) await Promise.all(local.map((network) => startHarshNetwork(network, harsh, log, undo)))
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
      runCrons: () => void process.kill(workers.pid, 'SIGUSR2'),
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

/** Every token of the stack, from the first block. */
const buildHolderTokens = (local: readonly LocalNetwork[]): string =>
  JSON.stringify(
    Object.fromEntries(
      local.map(({ network, prepared }) => [
        network.name,
        Object.fromEntries(listTokens(prepared).map((address) => [address, 0])),
      ]),
    ),
  )
