import type { Hex } from 'viem'
import { createRandom } from '#tools/stack/createRandom.ts'
import { chooseBadSolvers, chooseProfiteers, isBreaking, isReliable, playBadSolver } from './actors/badSolvers.ts'
import { createActors } from './actors/createActors.ts'
import { isClashing } from './actors/createClashingTrader.ts'
import { dustTrader, dustyBookOrders } from './actors/createDustTrader.ts'
import { hooksHost } from './actors/createReceiver.ts'
import { isUnreadable } from './actors/createUnreadableTrader.ts'
import { createNode, RpcError } from './chain/createNode.ts'
import { toWeiKey } from './chain/machine.ts'
import { createScheduler } from './clock/createScheduler.ts'
import { createRunLog, type RunLog } from './createRunLog.ts'
import type { SimulatedDatabase } from './database/openSimulatedDatabase.ts'
import { createChecks } from './invariants/createChecks.ts'
import { Violation } from './invariants/violation.ts'
import { createMarket, findAccess, network } from './market.ts'
import { createNetwork, type Host } from './platform/createNetwork.ts'
import { createUsage } from './platform/createUsage.ts'
import { installPlatform } from './platform/installPlatform.ts'
import { createPlainResponse } from './platform/plainMessages.ts'
import { createProcesses } from './platform/processes.ts'
import { startService } from './service.ts'
import { createWalletCodes, strategyOwners } from './wallets.ts'
import { createAccess, createAccount, createDiceBox, type FeeShare, type Weather, type World } from './world.ts'

/** Terms of a run; equal terms give equal runs. */
export type RunTerms = {
  seed: number
  blocks: number
  /** names of actors that do not take part */
  without?: readonly string[]
  /** names of actors that take part in any case */
  with?: readonly string[]
  /** the names of all actors, instead of a random part of them; the solvers are honest then */
  only?: readonly string[]
  /** name of a deliberate fault */
  fault?: string | undefined
}

export type SimulationResult = {
  log: RunLog
  /** the first violation or error; undefined without one */
  failure: unknown
  /** number of blocks that were reached */
  blocks: number
  actors: readonly string[]
}

/** Attempts to settle an order, for the story of a failure. */
const selectAttempts = (database: SimulatedDatabase, uid: Hex) =>
  database.read(
    `select o.order_uid, a.auction_id, a.solver, a.start_block, a.end_block, a.outcome, a.blame
      from settlement_attempts a join solution_orders o using (chain_id, auction_id, solution_uid)
      where o.order_uid = $1 order by a.auction_id`,
    [`\\x${uid.slice(2)}`],
  )

/** Host and port of a URL. */
const hostOf = (url: string): string => url.split('/', 3)[2] ?? ''

/** Unix seconds of block 0 */
const genesisTime = 1_800_000_000
/** tables grow little between two; a run of 200 blocks has none, because it would plan all statements again */
const blocksPerAnalysis = 250
const databaseHost = '127.0.0.1:5432'
const nodeHost = 'node.simulation'
/** resolver of the notifier */
const resolverHost = 'cloudflare-dns.com'
const publicName = { Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] }

/** @returns whether one more request in this second is above a limit; 0: none is */
const createRateLimit = (now: () => number) => {
  let [second, count] = [0, 0]
  return (limit: number): boolean => {
    const current = Math.floor(now() / 1_000)
    if (current !== second) [second, count] = [current, 0]
    count += 1
    return limit > 0 && count > limit
  }
}

/** Half of the seeds have protocol fees, two fifths of those a part of the improvement instead of the surplus. */
const chooseFees = (dice: ReturnType<World['dice']>): FeeShare[] =>
  dice.chance(0.5)
    ? [
        { kind: 'volume', bps: BigInt(dice.between(1, 10)) },
        { kind: dice.chance(0.4) ? 'priceImprovement' : 'surplus', bps: 2_500n, capBps: 100n },
      ]
    : []

const toFeeSettings = (fees: readonly FeeShare[]): Record<string, string> => {
  const policies = fees.flatMap((fee) =>
    fee.kind === 'volume'
      ? []
      : [
          {
            ...{ kind: fee.kind, orderClass: 'any' },
            ...{ factor: Number(fee.bps) / 10_000, maxVolumeFactor: Number(fee.capBps) / 10_000 },
          },
        ],
  )
  const volume = fees.find(({ kind }) => kind === 'volume')
  return { VOLUME_FEE_BPS: `${volume?.bps ?? 0}`, FEE_POLICIES: JSON.stringify(policies) }
}

/**
 * Runs the service on a model of the world for a number of blocks.
 * @param onBlock called after each
 */
export const simulate = async (
  database: SimulatedDatabase,
  terms: RunTerms,
  onBlock: (number: number) => void = () => undefined,
): Promise<SimulationResult> => {
  const { seed, blocks } = terms
  const random = createRandom(seed)
  const scheduler = createScheduler(genesisTime * 1_000)
  const processes = createProcesses(scheduler)
  const log = createRunLog(scheduler.now, false)
  const weather: Weather = {
    lag: 0,
    hidesLogs: undefined,
    isForgetting: false,
    nodeFailures: 0,
    nodeLimit: 0,
    databaseFailures: 0,
    queueFailures: 0,
    disturbedAt: 0,
    replaced: [],
  }
  const failedSteps: string[] = []
  const responses: World['responses'] = []
  const latency = () => 2 + Math.floor(random() * 8)
  const solvers = ['amber', 'blue'].map((name, i) => ({
    ...createAccount(`solver ${name}`),
    name,
    strategy: (['multihop', 'direct'] as const)[i] ?? 'direct',
  }))
  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => void scheduler.after(milliseconds, () => resolve()))
  const dice = createDiceBox(seed)
  const badSolvers = terms.only ? chooseProfiteers(terms.only) : chooseBadSolvers(dice)
  const fees = chooseFees(dice('fees'))
  const chain = createMarket(
    [...solvers, ...badSolvers].map(({ address }) => address),
    createWalletCodes(),
    strategyOwners.map(({ address }) => address),
    genesisTime,
  )
  for (const { address } of [...solvers, ...badSolvers]) chain.store.set(toWeiKey(address), 10n ** 21n)
  chain.mine()
  const access = createAccess(chain)
  const node = createNode(chain, network.chainId, findAccess)
  const { send } = createNetwork(processes)
  const usage = createUsage()

  const isOverLimit = createRateLimit(scheduler.now)
  const respondAsNode = async (request: Request): Promise<Response> => {
    if (random() < weather.nodeFailures) throw new TypeError('fetch failed')
    if (isOverLimit(weather.nodeLimit)) return new Response(null, { status: 429, headers: { 'Retry-After': '1' } })
    const { id, method, params } = (await request.json()) as { id: number; method: string; params: unknown[] }
    try {
      return createPlainResponse({ jsonrpc: '2.0', id, result: node(weather, method, params) })
    } catch (error) {
      if (!(error instanceof RpcError)) {
        log.write('node', 'error', String(error instanceof Error ? error.stack : error))
        throw error
      }
      const { code, message, data } = error
      return createPlainResponse({ jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } })
    }
  }
  const respondAsDatabase = (request: Request): Promise<Response> => {
    const isFaulty = random() < weather.databaseFailures
    const fault = isFaulty ? (['before', 'during', 'after'] as const)[Math.floor(random() * 3)] : undefined
    return scheduler.hold(database.answer(request, fault))
  }
  const receivers: World['receivers'] = new Map()
  const respondAsHook = async (request: Request): Promise<Response> =>
    (await receivers.get(new URL(request.url).pathname)?.(request)) ?? new Response(null, { status: 404 })
  const machines: Record<string, Host> = {
    [hooksHost]: { name: 'hooks', latency, answer: respondAsHook },
    [resolverHost]: { name: 'resolver', latency, answer: async () => Response.json(publicName) },
    [nodeHost]: { name: 'node', latency, answer: respondAsNode },
    [databaseHost]: { name: 'database', latency, answer: respondAsDatabase },
  }
  // the database starts in the first run of a process, with the bytes that it would take in any
  let randomBytes = createRandom(0)
  installPlatform({
    scheduler,
    processes,
    random,
    randomBytes: () => randomBytes(),
    route: (request) => {
      const machine = machines[hostOf(request.url)]
      if (!machine) throw new TypeError(`no host ${request.url}`)
      const sender = processes.current()?.name ?? ''
      if (machine.name === 'node') usage.count('nodeCalls', sender)
      if (machine.name === 'database') usage.count('statements', sender)
      return usage.follow(send(machine, request))
    },
    log: (line) => {
      const process = processes.current()?.name ?? 'simulation'
      log.write(process, 'log', line)
      if (/"message":"(tick|auction)"/.test(line)) usage.count('steps', process)
      if (line.includes('"message":"step failed"')) failedSteps.push(line)
    },
  })

  await database.restore()
  randomBytes = createRandom(seed ^ 0x5eed)
  const service = await startService({
    ...{ processes, send, usage, latency, random },
    queueFailures: () => weather.queueFailures,
    now: scheduler.now,
    onResponse: (response) => responses.push(response),
    onError: (where, error) => log.write(where, 'error', String(error instanceof Error ? error.stack : error)),
    referenceSolvers: solvers,
    isUnreadable: (body) => isUnreadable(body) || isClashing(body),
    playedSolvers: badSolvers.map((solver) => playBadSolver(solver, { chain, dice, sleep, transact: access.transact })),
    databaseUrl: `postgres://edgebook:edgebook@${databaseHost}/edgebook`,
    rpcUrl: `http://${nodeHost}`,
    fault: terms.fault,
    settings: {
      SOLVE_TIME_MS: '3000',
      ...(terms.only?.includes(dustTrader) ? { MAX_AUCTION_ORDERS: String(dustyBookOrders) } : {}),
      ...(fees.length > 0 ? toFeeSettings(fees) : {}),
    },
  })
  const world: World = {
    ...{ chain, service, database, weather },
    hasBadSolvers: !badSolvers.every(isReliable),
    breaking: badSolvers.filter(isBreaking).map(({ address }) => address),
    ...{ failedSteps, fees },
    ...{ receivers, sleep, usage },
    ...{ orders: new Map(), strategies: [], quotes: [], responses, audits: [], predictions: [] },
    dice,
    log: (kind, facts) => log.write('world', kind, facts),
    now: scheduler.now,
    ...access,
  }
  const { actors, subscriptions, receptions } = createActors(world, terms, (milliseconds, work) =>
    scheduler.after(milliseconds, work),
  )
  const check = createChecks(
    world,
    solvers.map(({ address }) => address),
    { subscriptions, receptions },
  )
  let failure: unknown
  try {
    service.watch()
    for (let number = 1; number <= blocks; number += 1) {
      await scheduler.runUntil((genesisTime + number * network.blockTimeSeconds) * 1_000)
      await check(chain.head())
      const block = chain.mine()
      log.write('chain', 'block', {
        number,
        hash: block.hash,
        transactions: block.receipts.map(({ transaction, succeeded, reason }) =>
          [transaction.hash.slice(0, 10), transaction.from.slice(0, 10), succeeded ? 'ok' : reason].join(' '),
        ),
      })
      for (const actor of actors)
        scheduler.after(Math.floor(random() * 6_000), async () => {
          void Promise.resolve(actor.act(block)).catch((error) => log.write(actor.name, 'error', String(error?.stack)))
        })
      if (number % 5 === 0) service.watch()
      if (number % blocksPerAnalysis === 0) await database.analyze()
      onBlock(number)
    }
  } catch (error) {
    failure = error
    if (error instanceof Violation && error.uid)
      for (const attempt of await selectAttempts(database, error.uid)) log.write('world', 'attempt', attempt)
  }
  // what the last block began would draw from the dice of the next run
  await scheduler.settle()
  return { log, failure, blocks: chain.head().number, actors: actors.map(({ name }) => name) }
}
