import type { Address, Hex } from 'viem'
import { network } from './market.ts'
import { createMessageQueue } from './platform/createMessageQueue.ts'
import type { Host } from './platform/createNetwork.ts'
import type { Usage } from './platform/createUsage.ts'
import { createNamespace, type ObjectNamespace } from './platform/durableObjects.ts'
import { importWithFault } from './platform/faultyModules.ts'
import type { Process, Processes } from './platform/processes.ts'

/** Responses of a Worker. */
type Worker = {
  fetch: (request: Request, env: object, context: object) => Promise<Response>
  scheduled?: (event: object, env: object) => Promise<void>
  queue?: (batch: object, env: object) => Promise<void>
}
type Constructor = new (context: unknown, env: Record<string, unknown>) => object

/** Sources of the service are loaded late: the platform is replaced before. */
const toUrl = (path: string): string => new URL(`../../functions/${path}`, import.meta.url).href
const sourceUrls = {
  auctions: toUrl('auctions/worker.ts'),
  solver: toUrl('solver/worker.ts'),
  orders: toUrl('orders/index.ts'),
  debug: toUrl('debug/index.ts'),
  streams: toUrl('streams/worker.ts'),
  accounts: toUrl('accounts/worker.ts'),
  notifier: toUrl('notifier/index.ts'),
  quotes: toUrl('quotes/index.ts'),
  gateway: toUrl('gateway/index.ts'),
}

export type SolverAccount = { name: string; address: Address; privateKey: Hex; strategy: 'direct' | 'multihop' }

/** A solver that the simulation plays: it serves the driver API in its own way. */
export type PlayedSolver = { name: string; address: Address; answer: (request: Request) => Promise<Response> }

/** Status and headers of a response. */
export type ClientResponse = { path: string; status: number; retryAfter: string | null; cacheControl: string | null }

export type ServiceTerms = {
  processes: Processes
  send: (machine: Host, request: Request) => Promise<Response>
  usage: Usage
  latency: () => number
  /** from 0 to 1 */
  random: () => number
  /** part of the batches that the queue does not accept */
  queueFailures: () => number
  now: () => number
  onError: (where: string, error: unknown) => void
  /** receives each response to a client */
  onResponse: (response: ClientResponse) => void
  referenceSolvers: readonly SolverAccount[]
  /** whether the drivers of the reference solvers refuse an auction */
  isUnreadable: (body: string) => boolean
  playedSolvers: readonly PlayedSolver[]
  databaseUrl: string
  rpcUrl: string
  settings: Record<string, string>
  /** name of a deliberate fault; undefined: none */
  fault: string | undefined
}

/** One part of the service: a process with its Worker and its Durable Objects. */
type Part = {
  process: Process
  namespaces: ObjectNamespace[]
  /** environments of its Workers by those that they copy: a Worker keeps its state by its environment, so another process has others */
  envs: Map<object, object>
}

/**
 * The service's Workers on the simulated platform: orders, auctions, debug, streams, accounts, the notifier and the
 * reference solvers. Each part can die and start again; storage of Durable Objects survives.
 */
export const startService = async (terms: ServiceTerms) => {
  const { processes, usage, latency, now, onError } = terms
  const sources = await importWithFault(sourceUrls, terms.fault)
  const parts = new Map<string, Part>()
  const addPart = (name: string): Part => {
    const part: Part = { process: processes.start(name), namespaces: [], envs: new Map() }
    parts.set(name, part)
    return part
  }
  const addNamespace = (part: Part, construct: () => unknown, env: Record<string, unknown>): ObjectNamespace => {
    const namespace = createNamespace({
      ...{ processes, latency, now, env },
      process: () => part.process,
      construct: () => usage.followObjects(part.process.name, construct() as Constructor),
      onError: (where, error) => onError(`${part.process.name} ${where}`, error),
    })
    part.namespaces.push(namespace)
    return namespace
  }
  const toMachine = (part: Part, worker: Worker, env: object): Host => {
    return {
      name: part.process.name,
      process: () => part.process,
      latency,
      answer: (request) => {
        const own = part.envs.get(env) ?? { ...env }
        part.envs.set(env, own)
        const waitUntil = (work: Promise<unknown>) => void work.catch((error) => onError(part.process.name, error))
        const context = { waitUntil, passThroughOnException: () => undefined }
        return usage.run(part.process.name, () => worker.fetch(request, own, context))
      },
    }
  }
  const bind = (machine: Host) => ({
    fetch: (input: Request | string, init?: RequestInit) => usage.follow(terms.send(machine, new Request(input, init))),
  })
  const common = {
    NETWORK: network.name,
    DATABASE_URL: terms.databaseUrl,
    RPC_URL: terms.rpcUrl,
    ...terms.settings,
  }

  const refusing = (machine: Host): Host => ({
    ...machine,
    answer: async (request) =>
      new URL(request.url).pathname === '/solve' && terms.isUnreadable(await request.clone().text())
        ? Response.json({ kind: 'InvalidRequest', description: 'unknown field' }, { status: 400 })
        : machine.answer(request),
  })
  const solverBindings: Record<string, unknown> = {}
  for (const { name, privateKey, strategy } of terms.referenceSolvers) {
    const part = addPart(`solver ${name}`)
    const env: Record<string, unknown> = {
      ...common,
      SOLVER_NAME: name,
      SOLVER_STRATEGY: strategy,
      SOLVER_PRIVATE_KEY: privateKey,
    }
    env.SETTLEMENTS = addNamespace(part, () => sources.solver.SettlementQueue, env)
    solverBindings[`SOLVER_${name}`] = bind(refusing(toMachine(part, sources.solver.default as Worker, env)))
  }
  for (const { name, answer } of terms.playedSolvers)
    solverBindings[`SOLVER_${name}`] = bind({ name: `solver ${name}`, latency, answer })

  const crossNetwork = {
    DATABASE_URL: terms.databaseUrl,
    RPC_URLS: JSON.stringify({ [network.name]: terms.rpcUrl }),
  }
  const notifier = addPart('notifier')
  const notifierWorker = sources.notifier.default as Worker
  const notifierEnv: Record<string, unknown> = { ...crossNetwork, PUBLIC_URL: 'https://edgebook.example' }
  const queueTerms = {
    ...{ processes, latency, random: terms.random, onError },
    process: () => notifier.process,
    consume: async (batch: object) => usage.run('notifier', () => notifierWorker.queue?.(batch, notifierEnv)),
  }
  const deadLetters = createMessageQueue({ ...queueTerms, name: 'edgebook-deliveries-dead', failures: () => 0 })
  notifierEnv.DELIVERIES = createMessageQueue({
    ...{ ...queueTerms, name: 'edgebook-deliveries', deadLetters },
    failures: terms.queueFailures,
  })
  const boundNotifier = bind(toMachine(notifier, notifierWorker, notifierEnv))
  const accounts = addPart('accounts')
  const accountsEnv: Record<string, unknown> = {
    ...crossNetwork,
    CMS_ENABLED: 'true',
    CMS_API_KEY: 'simulation',
    NOTIFIER: boundNotifier,
  }
  accountsEnv.WATCHES = addNamespace(accounts, () => sources.accounts.BalanceWatch, accountsEnv)
  accountsEnv.SLOTS = addNamespace(accounts, () => sources.accounts.ClientSlots, accountsEnv)

  const auctions = addPart('auctions')
  const SOLVERS = JSON.stringify(
    [...terms.referenceSolvers, ...terms.playedSolvers].map(({ name, address }) => ({
      ...{ name, address },
      ...{ binding: `SOLVER_${name}`, supports: ['signedFees'] },
    })),
  )
  const auctionsEnv: Record<string, unknown> = {
    ...common,
    ...solverBindings,
    NOTIFIER: boundNotifier,
    ONCHAIN_ORDER_CONTRACTS: network.ethFlow,
    SOLVERS,
  }
  auctionsEnv.CLOCK = addNamespace(auctions, () => sources.auctions.AuctionClock, auctionsEnv)
  auctionsEnv.SOLVER_CONNECTIONS = addNamespace(auctions, () => sources.auctions.SolverConnection, auctionsEnv)
  const auctionsWorker = sources.auctions.default as Worker
  const orders = addPart('orders')
  const ordersEnv = { ...common, SOLVERS, AUCTIONS: bind(toMachine(auctions, auctionsWorker, auctionsEnv)) }
  const debug = addPart('debug')
  const streams = addPart('streams')
  const streamsEnv: Record<string, unknown> = { ...common }
  streamsEnv.FEEDS = addNamespace(streams, () => sources.streams.EventFeed, streamsEnv)
  streamsEnv.SLOTS = addNamespace(streams, () => sources.streams.ClientSlots, streamsEnv)

  const quotes = addPart('quotes')
  const solverList = { ...solverBindings, SOLVERS }
  const quotesEnv = { ...common, ...solverList }

  const boundQuotes = bind(toMachine(quotes, sources.quotes.default as Worker, quotesEnv))
  const debugEnv = { ...common, ...solverList, QUOTES: boundQuotes }
  const bound = {
    orders: bind(toMachine(orders, sources.orders.default as Worker, ordersEnv)),
    debug: bind(toMachine(debug, sources.debug.default as Worker, debugEnv)),
    accounts: bind(toMachine(accounts, sources.accounts.default as Worker, accountsEnv)),
    streams: bind(toMachine(streams, sources.streams.default as Worker, streamsEnv)),
    quotes: boundQuotes,
  }
  const { accounts: boundAccounts, ...boundToNetwork } = bound
  const gatewayEnv: Record<string, unknown> = { VERSION: 'simulation', ACCOUNTS: boundAccounts }
  for (const [name, binding] of Object.entries(boundToNetwork))
    gatewayEnv[`${name}_${network.name}`.toUpperCase()] = binding

  const end = (part: Part, process: Process): void => {
    part.envs.clear()
    for (const namespace of part.namespaces) namespace.forget()
    processes.kill(process)
  }
  const serve = ({ fetch }: ReturnType<typeof bind>) => ({
    fetch: (input: string, init?: RequestInit) => {
      const response = fetch(input, init)
      const report = ({ status, headers }: Response) =>
        terms.onResponse({
          ...{ path: new URL(input).pathname, status },
          ...{ retryAfter: headers.get('Retry-After'), cacheControl: headers.get('Cache-Control') },
        })
      void response.then(report, () => undefined)
      return response
    },
  })
  const gateway = bind(toMachine(addPart('gateway'), sources.gateway.default as Worker, gatewayEnv))

  return {
    gateway: serve(gateway),
    orders: serve(bound.orders),
    debug: serve(bound.debug),
    accounts: serve(bound.accounts),
    streams: serve(bound.streams),
    names: [...parts.keys()],
    /** The platform's cron: starts a clock without an alarm, and dispatches overdue deliveries. */
    watch: (): void => {
      if (!auctions.process.isAlive) return
      void processes.run(auctions.process, () =>
        usage
          .run('auctions', () => auctionsWorker.scheduled?.({}, auctionsEnv))
          ?.catch((error) => onError('watchdog', error)),
      )
      void processes.run(notifier.process, () =>
        usage
          .run('notifier', () => notifierWorker.scheduled?.({}, notifierEnv))
          ?.catch((error) => onError('watchdog of the notifier', error)),
      )
    },
    /** Storage of each Durable Object. */
    listStored: () =>
      [...parts.values()].flatMap(({ namespaces }) => namespaces.flatMap(({ listStored }) => listStored())),
    /** A part dies between two of its steps, and starts again at its next event. */
    restart: (name: string): void => {
      const part = parts.get(name)
      if (!part) throw new Error(`no part ${name}`)
      const { process } = part
      part.process = processes.start(name)
      end(part, process)
    },
    /** All parts die; until `resume` none starts. */
    halt: (): void => {
      for (const part of parts.values()) end(part, part.process)
    },
    resume: (): void => {
      for (const [name, part] of parts) part.process = processes.start(name)
    },
  }
}

export type Service = Awaited<ReturnType<typeof startService>>
