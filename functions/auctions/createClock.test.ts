import { asc, eq } from 'drizzle-orm'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { nextAuctionId } from '#schema/queries/auctions/auctions.ts'
import { selectCurrentAuction } from '#schema/queries/auctions/currentAuction.ts'
import { insertOrder, type NewOrder, selectOrder } from '#schema/queries/orders/orders.ts'
import { auctionEntries, auctions, currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { feePolicies } from '#schema/tables/auctions/feePolicies.ts'
import { solutionOrders, solutions } from '#schema/tables/auctions/solutions.ts'
import { conditionalOrders } from '#schema/tables/chain/conditionalOrders.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlementFailures } from '#schema/tables/settlements/settlementFailures.ts'
import { solverSuspensions } from '#schema/tables/settlements/solverSuspensions.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import { toOrderResponse } from '#shared/orders/orderResponse.ts'
import type { SolveRequestBody } from '#shared/solvers/driverApi.ts'
import type { Solver } from '#shared/solvers/solverList.ts'
import { type SettlementChain, startSettlementChain } from '#test/helpers/chain/settlementChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { noFees, volumeFee } from '#test/helpers/orders/feeRules.ts'
import { startBadSolver } from '#test/helpers/solvers/badSolver.ts'
import { type DriverBehaviour, startTestDriver, type TestDriver } from '#test/helpers/solvers/testDriver.ts'
import { allowListSolvers } from '#tools/stack/chain/contracts/allowListSolvers.ts'
import { deploySettlementContracts } from '#tools/stack/chain/contracts/deploySettlementContracts.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { connectArchive } from '../debug/archive/connectArchive.ts'
import { getAuction } from '../debug/competition/getAuction.ts'
import { getAuctions } from '../debug/competition/getAuctions.ts'
import { getSolver } from '../debug/competition/getSolver.ts'
import { getSolverCompetition } from '../debug/competition/getSolverCompetition.ts'
import { getStatus } from '../status/getStatus.ts'
import { auctionIntervalMs } from './book/createBook.ts'
import { priceMaxAgeMs } from './book/requestPrices.ts'
import { type ClockDeps, createClock } from './createClock.ts'

const network = networks.sepolia
const { chainId } = network
const second = devAccounts[9].address
const stranger = devAccounts[5].address
const wei = 10n ** 18n

let chain: SettlementChain
let testDatabase: TestDatabase
let deps: ClockDeps
let auctionClock: ReturnType<typeof createClock>
let logged: Record<string, unknown>[] = []
let background: Promise<unknown>[] = []
let stops: (() => unknown)[] = []
let seed = 0
let startBlock = 0
let clock = 0

beforeAll(async () => {
  ;[chain, testDatabase] = await Promise.all([startSettlementChain(), startTestDatabase()])
  await allowListSolvers(chain.chain, await deploySettlementContracts(chain.chain), [second])
  // what the drivers of these tests pay with
  await sendFrom(chain.chain, chain.owner, { to: network.wrappedNative, value: wei, data: '0xd0e30db0' })
  const data = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [network.settlementContract, wei],
  })
  await sendFrom(chain.chain, chain.owner, { to: network.wrappedNative, data })
})

afterAll(async () => {
  await chain?.stop()
  await testDatabase?.close()
})

beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  startBlock = Number(await chain.client.getBlockNumber()) + 1
  await chain.mine(1)
  restart()
  logged = []
  background = []
  clock = Date.now()
})

afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()))
  stops = []
})

const values = () => ({
  [chain.tokens.DAI.address]: 3n * wei,
  [chain.tokens.COW.address]: wei,
  [network.wrappedNative]: wei,
})

const startDriver = async (behaviour: Partial<DriverBehaviour>): Promise<TestDriver> => {
  const driver = await startTestDriver({
    name: 'first',
    address: chain.solver,
    values: values(),
    execute: () => undefined,
    ...behaviour,
  })
  stops.push(driver.stop)
  return driver
}

const buildDeps = (solvers: Solver[], changes: Partial<ClockDeps> = {}): ClockDeps => ({
  network,
  database: testDatabase.database,
  chain: chain.client,
  nodes: [chain.client],
  simulate: simulateCalls(chain.rpcUrl),
  solvers,
  now: () => clock,
  shuffle: (items) => [...items],
  log: (entry) => logged.push(entry),
  background: (work) => background.push(work),
  solveTimeMs: 10_000,
  hideBeforeDeadline: false,
  submissionDeadlineBlocks: 3,
  minValiditySeconds: 60,
  maxOrders: 5_000,
  bannedUsers: new Set(),
  unsupportedTokens: new Set(),
  outOfMarketBps: 5_000,
  maxGas: 8_000_000n,
  feeRules: noFees,
  onchainOrderContracts: [],
  startBlock,
  reindexFrom: undefined,
  notify: undefined,
  findPauses: async () => new Map(),
  jitOrderOwners: new Set(),
  ...changes,
})

/** A clock without memory. */
const restart = () => {
  deps = buildDeps([])
  auctionClock = createClock(deps)
}

/** Replaces the solvers and settings of the running clock. */
const configure = (solvers: Solver[], changes: Partial<ClockDeps> = {}) => {
  Object.assign(deps, buildDeps(solvers, changes))
}

/** One tick and everything it started. */
const tick = async (solvers: Solver[], changes?: Partial<ClockDeps>) => {
  configure(solvers, changes)
  await auctionClock.tick()
  while (background.length > 0) await Promise.all(background.splice(0))
}

/** A win that the solver settled before. */
const prove = async (solver: Address) => {
  const auctionId = await nextAuctionId(testDatabase.database)
  const blocks = { startBlock: 0, deadlineBlock: 5, endBlock: 1 }
  const row = { chainId, auctionId, solutionUid: 0, solver, ...blocks, outcome: 'success', endedAt: new Date() }
  await testDatabase.database.insert(settlementAttempts).values(row)
}
const place = async (changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  seed += 1
  const order = chain.buildOrder(seed, changes)
  await insertOrder(testDatabase.database, order)
  return order
}
const placeSigned = async (changes: Partial<NewOrder> = {}): Promise<NewOrder> => {
  const order = await place(changes)
  await chain.presign(order.uid)
  return order
}
const eventsOf = async ({ uid }: NewOrder) =>
  (
    await testDatabase.database.select().from(orderEvents).where(eq(orderEvents.orderUid, uid)).orderBy(orderEvents.id)
  ).map(({ label, reason }) => (reason ? `${label} ${reason}` : label))
/** The numbers behind the newest event. */
const dataOf = async ({ uid }: NewOrder) =>
  (
    await testDatabase.database.select().from(orderEvents).where(eq(orderEvents.orderUid, uid)).orderBy(orderEvents.id)
  ).at(-1)?.data
const attempts = () =>
  testDatabase.database.select().from(settlementAttempts).orderBy(asc(settlementAttempts.auctionId))
const fill = (buy: bigint) => () => ({ sell: 1000n, buy })
type Route = { request: (path: string) => Response | Promise<Response> }
const read = async <Body = unknown>(route: Route, path: string): Promise<Body> => {
  const response = await route.request(path)
  expect([path, response.status]).toEqual([path, 200])
  return (await response.json()) as Body
}
const routes = () => ({ database: testDatabase.database, chainId })
/** Settles on the chain what it won. */
const settleOnChain =
  (order: () => NewOrder, buy: bigint): DriverBehaviour['settle'] =>
  ({ auctionId }) =>
    chain.settle([{ order: order(), executedSell: 1000n, executedBuy: buy }], Number(auctionId))

describe('an auction', () => {
  test('goes from a signed order to its trade: both solvers compete, the better one settles', async () => {
    const order = await placeSigned()
    const winner = await startDriver({ execute: fill(3200n), settle: settleOnChain(() => order, 3200n) })
    const loser = await startDriver({ name: 'second', address: second, execute: fill(3100n) })
    const solvers = [loser.solver, winner.solver]
    await tick(solvers)

    const [request] = winner.solved
    expect(request).toMatchObject({
      orders: [{ uid: order.uid, kind: 'sell', executed: '0', sellAmount: '1000', signingScheme: 'presign' }],
      tokens: [
        { address: network.wrappedNative, price: wei.toString() },
        { address: order.sellToken, price: (3n * wei).toString() },
        { address: order.buyToken, price: wei.toString() },
      ],
    })
    const auctionId = Number(request?.id)
    const startedAt = Number(await chain.client.getBlockNumber()) - 1
    expect(winner.settled).toEqual([
      // it is unproven
      { auctionId: request?.id, solutionId: 0, submissionDeadlineLatestBlock: startedAt + 2 },
    ])
    expect(loser.settled).toEqual([])
    expect(await testDatabase.database.select().from(auctions)).toMatchObject([
      { id: auctionId, deadlineBlock: startedAt + 2, prices: { [order.buyToken]: wei.toString() } },
    ])
    expect(await testDatabase.database.select().from(solutions).orderBy(solutions.uid)).toMatchObject([
      { uid: 0, solver: chain.solver, isWinner: true, filteredOut: false, score: 200n, referenceScore: 100n },
      { uid: 1, solver: second, isWinner: false, filteredOut: false, score: 100n, referenceScore: null },
    ])
    expect(await testDatabase.database.select().from(solutionOrders).orderBy(solutionOrders.solutionUid)).toMatchObject(
      [
        { orderUid: order.uid, executedSell: 1000n, executedBuy: 3200n, limitBuy: 3000n },
        { orderUid: order.uid, executedSell: 1000n, executedBuy: 3100n },
      ],
    )
    expect(await selectCurrentAuction(testDatabase.database, chainId)).toMatchObject({
      id: auctionId,
      prices: { [order.buyToken]: wei.toString() },
      orders: [{ uid: order.uid, sellAmount: '1000' }],
    })

    await tick(solvers)
    expect(await attempts()).toMatchObject([
      { auctionId, solutionUid: 0, solver: chain.solver, outcome: 'success', startBlock: startedAt },
    ])
    expect(await selectOrder(testDatabase.database, chainId, order.uid)).toMatchObject({
      executedSellAmount: 1000n,
      executedBuyAmount: 3200n,
    })
    expect(await eventsOf(order)).toEqual(['created', 'ready', 'executing', 'traded'])
    expect(await testDatabase.database.select().from(auctionEntries)).toMatchObject([
      { orderUid: order.uid, enteredAuctionId: auctionId, leftAuctionId: expect.any(Number) },
    ])
    expect(winner.solved).toHaveLength(1)
  })

  test('sends solvers the end that the user of an ether order chose beside the signed one, which never comes', async () => {
    const userValidTo = Math.floor(clock / 1_000) + 600
    const [order, other] = [await placeSigned({ validTo: 0xffffffff, userValidTo }), await placeSigned()]
    const driver = await startDriver({ execute: fill(3200n) })
    await tick([driver.solver])
    const sent = { uid: order.uid, validTo: 0xffffffff, userValidTo }
    const { orders: listed } = await read<{ orders: { uid: Hex }[] }>(getAuction(routes()), '/api/v1/auction')
    for (const orders of [driver.solved[0]?.orders ?? [], listed]) {
      expect(orders.find(({ uid }) => uid === order.uid)).toMatchObject(sent)
      expect(orders.find(({ uid }) => uid === other.uid)).not.toHaveProperty('userValidTo')
    }
  })

  /** Facts about the only win, as the routes show them. */
  const readWin = async () => {
    const deps = { ...routes(), hideBeforeDeadline: false, knownSolvers: [] }
    const finality = { archive: connectArchive(undefined, chainId), finalBlocks: 64, token: '' }
    const node = { now: Date.now, findHead: () => chain.client.getBlock(), findSolverFaults: async () => new Map() }
    const { wrappedNative } = network
    const [competition, solver, listed, status] = await Promise.all([
      read(getSolverCompetition({ ...deps, ...finality }), '/api/v2/solver_competition/latest'),
      read(getSolver({ ...deps, wrappedNative }), `/api/v1/explorer/solvers/${chain.solver}`),
      read(getAuctions(deps), '/api/v1/explorer/auctions'),
      read(getStatus({ ...deps, ...node }), '/status.json'),
    ])
    return { competition, solver, listed, status }
  }

  test.each([
    ['together with', true],
    ['after', false],
  ])(
    'a settlement in the block after its deadline is one timeout in all routes, indexed %s its deadline',
    async (_, isTogether) => {
      const order = await placeSigned()
      const settle = settleOnChain(() => order, 3200n)
      const driver = await startDriver({
        execute: fill(3200n),
        settle: async (request) => {
          if (!isTogether) return
          await chain.mine(2)
          await settle?.(request)
        },
      })
      await tick([driver.solver])
      const [request] = driver.settled
      if (!request) throw new Error('no settlement was requested')
      if (!isTogether) {
        await chain.mine(2)
        await tick([driver.solver])
        await settle?.(request)
      }
      await tick([driver.solver])
      await chain.mine(1)
      await tick([driver.solver])

      const deadlineBlock = request.submissionDeadlineLatestBlock
      const suspension = { reason: 'timeout', failures: 1 }
      const settlement = { outcome: 'timeout', deadlineBlock, blame: { party: 'solver' } }
      expect(await readWin()).toMatchObject({
        competition: {
          auctionDeadlineBlock: deadlineBlock,
          solutions: [{ ...settlement, settlement: { block: deadlineBlock + 1 } }],
        },
        solver: {
          ...{ suspension, unsettled: { wins: 0 } },
          auctions: [{ solutions: [{ settlement: { ...settlement, status: 'timedOut', blocks: 3 } }] }],
        },
        listed: [{ deadlineBlock, winners: [{ status: 'timedOut' }] }],
        status: { solvers: [{ ...{ attempts: 1, successes: 0, failures: 1 }, suspension }] },
      })
    },
  )

  test('leaves out a paused solver and orders of a paused token', async () => {
    const order = await placeSigned()
    const unlisted = await placeSigned({ buyToken: chain.tokens.USDC.address })
    const prices = { ...values(), [chain.tokens.USDC.address]: wei }
    const paused = await startDriver({ values: prices, execute: fill(3200n) })
    const other = await startDriver({ ...{ name: 'second', address: second, values: prices }, execute: fill(3100n) })
    const solvers = [other.solver, paused.solver]
    const findPauses = async () =>
      new Map([
        [`solver:${chain.solver}`, 'drained'],
        [`token:${chain.tokens.USDC.address}`, 'exploited'],
      ] as const)
    await tick(solvers, { findPauses })
    expect([paused.solved, paused.settled]).toEqual([[], []])
    expect(other.solved.flatMap(({ orders }) => orders.map(({ uid }) => uid))).toEqual([order.uid])
    expect(await eventsOf(unlisted)).toEqual(['created', 'filtered paused'])
    expect(await dataOf(unlisted)).toMatchObject({ reason: 'exploited' })
    const [recorded] = await testDatabase.database.select().from(auctions)
    expect(recorded?.leftOut).toMatchObject([{ solver: chain.solver, reason: 'paused by the operator: drained' }])
  })

  test('holds no auction on a paused network, and lists its orders again when the pause is lifted', async () => {
    const order = await placeSigned()
    const driver = await startDriver({ execute: fill(3200n), settle: settleOnChain(() => order, 3200n) })
    await tick([driver.solver], { findPauses: async () => new Map([['network', 'upgrade']]) })
    expect(driver.solved).toEqual([])
    expect(await eventsOf(order)).toEqual(['created', 'filtered paused'])
    await chain.mine(1)
    await tick([driver.solver])
    await tick([driver.solver])
    expect(await eventsOf(order)).toEqual(['created', 'filtered paused', 'ready', 'executing', 'traded'])
  })

  test('records the prices of tokens that a solution touches, and of the wrapped native token', async () => {
    const order = await placeSigned()
    const unsolved = await placeSigned({ buyToken: chain.tokens.USDC.address })
    const driver = await startDriver({
      values: { ...values(), [chain.tokens.USDC.address]: wei },
      execute: ({ uid }) => (uid === order.uid ? { sell: 1000n, buy: 3200n } : undefined),
    })
    await tick([driver.solver])

    const known = { [network.wrappedNative]: `${wei}`, [order.sellToken]: `${3n * wei}`, [order.buyToken]: `${wei}` }
    const [current] = await testDatabase.database.select().from(currentAuctions)
    expect(current?.prices).toEqual({ ...known, [unsolved.buyToken]: `${wei}` })
    const [recorded] = await testDatabase.database.select().from(auctions)
    expect(recorded?.prices).toEqual(known)
  })

  test('reconstructs the fees of an order, counts them as surplus, and records them', async () => {
    const partnerFees = [{ recipient: stranger, kind: 'volume', bps: 500, maxVolumeBps: null }] as const
    const order = await placeSigned({ class: 'market', partnerFees: [...partnerFees] })
    const driver = await startDriver({ execute: fill(3200n), settle: settleOnChain(() => order, 3200n) })
    await tick([driver.solver], { feeRules: volumeFee(0.1) })

    // a tenth for the protocol; the partner wants 5 % of what is left and gets 1 %
    expect(driver.solved[0]?.orders[0]).toMatchObject({
      protocolFees: [{ volume: { factor: 0.1 } }, { volume: { factor: 0.01 } }],
      quote: { sellAmount: '1000', buyAmount: '0', fee: '0', solver: `0x${'0'.repeat(40)}` },
    })
    const policies = await testDatabase.database.select().from(feePolicies).orderBy(feePolicies.applicationOrder)
    expect(policies).toMatchObject([
      { orderUid: order.uid, applicationOrder: 0, kind: 'volume', volumeFactor: 0.1, surplusFactor: null },
      { orderUid: order.uid, applicationOrder: 1, kind: 'volume', volumeFactor: 0.01 },
    ])
    // ⌊3200 / 99⌋ = 32 and ⌊3232 / 9⌋ = 359 beside the surplus of 200
    expect(await testDatabase.database.select().from(solutions)).toMatchObject([{ score: 591n }])

    await tick([driver.solver], { feeRules: noFees })
    expect(await testDatabase.database.select().from(executions)).toMatchObject([
      {
        orderUid: order.uid,
        protocolFees: [
          { token: order.buyToken, amount: '359' },
          { token: order.buyToken, amount: '32' },
        ],
      },
    ])
  })

  test('leaves an order in flight until the deadline is indexed, also after a crash, and then lists it again', async () => {
    await prove(chain.solver)
    const order = await placeSigned()
    const driver = await startDriver({ execute: fill(3200n) })
    // killed after the attempt is recorded: no solver receives a settle request
    const deaf = {
      ...driver.solver,
      fetch: (request: Request) => (request.url.endsWith('/settle') ? new Promise<Response>(() => {}) : fetch(request)),
    }
    configure([deaf])
    await auctionClock.tick()
    const [auction] = background.splice(0)
    await auction
    background = []
    const outcomes = async () => (await attempts()).map(({ outcome }) => outcome)
    expect(await outcomes()).toEqual(['success', null])

    restart()
    await chain.mine(2)
    await tick([driver.solver])
    expect(driver.solved).toHaveLength(1)
    expect(await outcomes()).toEqual(['success', null])
    expect(await eventsOf(order)).toEqual(['created', 'ready', 'executing'])

    await chain.mine(1)
    await tick([driver.solver])
    expect(await outcomes()).toEqual(['success', 'timeout', null])
    expect(driver.settled).toHaveLength(1)
    expect(await eventsOf(order)).toEqual(['created', 'ready', 'executing', 'ready', 'executing'])
  })

  test('frees an order for the next block when its solver reports a failure, not when the solver is only silent', async () => {
    await prove(chain.solver)
    const order = await placeSigned()
    const failing = await startDriver({
      execute: fill(3200n),
      settle: () => {
        throw new Error('no gas')
      },
    })
    await tick([failing.solver])
    expect((await attempts()).at(-1)).toMatchObject({
      outcome: 'driver failed: FailedToSubmit',
      blame: { party: 'solver', orders: [], reason: expect.stringContaining('although its calldata succeeds') },
    })
    await tick([failing.solver])
    expect(failing.solved).toHaveLength(1)
    await chain.mine(1)
    const broken = {
      ...failing.solver,
      fetch: async (request: Request) =>
        request.url.endsWith('/settle') ? new Response('', { status: 502 }) : fetch(request),
    }
    await tick([broken])
    expect(failing.solved).toHaveLength(2)
    expect((await attempts()).at(-1)).toMatchObject({ outcome: null })
    await chain.mine(2)
    await tick([broken])
    expect(failing.solved).toHaveLength(2)
    expect(await eventsOf(order)).toEqual(['created', 'ready', 'executing', 'ready', 'executing'])
  })

  test('an order whose settlement fails in a later block than that of its auction waits for the next block', async () => {
    await prove(chain.solver)
    await placeSigned()
    const failure = Promise.withResolvers<never>()
    const failing = await startDriver({ execute: fill(3200n), settle: () => failure.promise })
    configure([failing.solver])
    await auctionClock.tick()
    await background.shift()
    await chain.mine(1)
    await auctionClock.tick()
    // the auction of the new block has nothing to solve; the settlement of the first one is still running
    await background.at(-1)
    failure.reject(new Error('no gas'))
    await tick([failing.solver])
    expect((await attempts()).at(-1)).toMatchObject({ outcome: 'driver failed: FailedToSubmit' })
    clock += 20_000
    await tick([failing.solver])
    expect(failing.solved).toHaveLength(1)
    await chain.mine(1)
    await tick([failing.solver])
    expect(failing.solved).toHaveLength(2)
  })

  /** A settlement of the order fails on the chain: its signature is missing while it is settled. */
  const failOnChain = async ({ uid }: NewOrder): Promise<void> => {
    await chain.presign(uid, false)
    throw new Error('reverted')
  }

  test('blames an order that fails alone, not its solver, and auctions it again after 1, 2 and 4 blocks', async () => {
    await prove(chain.solver)
    const failing = await placeSigned({ buyAmount: 1n })
    const driver = await startDriver({ execute: fill(3200n), settle: () => failOnChain(failing) })
    const wins: number[] = []
    for (let step = 0; step < 4; step += 1) {
      const before = (await attempts()).length
      for (let waited = 0; (await attempts()).length === before && waited < 20; waited += 1) {
        await tick([driver.solver])
        clock += 20_000
        if ((await attempts()).length > before) wins.push(waited)
        else await chain.mine(1)
      }
      await chain.presign(failing.uid)
    }
    // the restored signature takes a block, too
    expect(wins).toEqual([0, 0, 1, 3])
    expect((await attempts()).slice(1).map(({ blame }) => blame)).toEqual(
      Array(4).fill({
        party: 'orders',
        orders: [failing.uid],
        reason: `order ${failing.uid} fails alone: it is not pre-signed`,
      }),
    )
    expect(driver.solved.map(({ orders }) => orders.map(({ settleAlone }) => settleAlone))).toEqual(
      driver.solved.map(() => [true]),
    )
    expect(await testDatabase.database.select().from(solverSuspensions)).toEqual([])
  }, 60_000)

  test('settles an honest order in one auction with hostile ones on its pair that promise more', async () => {
    await prove(chain.solver)
    const failing = [await placeSigned({ buyAmount: 1n }), await placeSigned({ buyAmount: 2n })]
    const honest = await placeSigned()
    const findFailing = (uid: string) => failing.find((order) => order.uid === uid)
    const driver = await startDriver({
      execute: ({ uid }) => ({ sell: 1000n, buy: findFailing(uid) ? 9000n : 3200n }),
      settle: async ({ auctionId, solutionId }) => {
        const uid = driver.solved.find(({ id }) => id === auctionId)?.orders[solutionId]?.uid ?? ''
        const own = findFailing(uid)
        if (own) return failOnChain(own)
        await chain.settle([{ order: honest, executedSell: 1000n, executedBuy: 3200n }], Number(auctionId))
      },
    })
    await tick([driver.solver])
    await tick([driver.solver])
    expect(await eventsOf(honest)).toEqual(['created', 'ready', 'executing', 'traded'])
    const failures = await testDatabase.database.select().from(settlementFailures)
    expect(failures.map(({ orderUid }) => orderUid).toSorted()).toEqual(failing.map(({ uid }) => uid).toSorted())
    // a busy machine adds time-outs of the driver, which are no reverts
    expect(failures).toMatchObject(Array(2).fill({ reverts: 1 }))
    await chain.presign(failing[0]?.uid as Hex)
    await chain.settle([{ order: failing[0] as NewOrder, executedSell: 1000n, executedBuy: 9000n }])
    await tick([driver.solver])
    expect((await testDatabase.database.select().from(settlementFailures)).map(({ orderUid }) => orderUid)).toEqual([
      failing[1]?.uid,
    ])
  }, 60_000)

  test('gives the auction to the next solution when the calldata of the best one breaks its promise or reverts', async () => {
    await prove(second)
    const order = await placeSigned()
    const encode = (buy: bigint, auctionId: string) =>
      chain.encodeSettle([{ order, executedSell: 1000n, executedBuy: buy }], Number(auctionId))
    const short = await startDriver({ execute: fill(3300n), reveal: ({ auctionId }) => encode(3299n, auctionId) })
    const honest = await startDriver({ name: 'second', address: second, execute: fill(3100n) })
    await tick([short.solver, honest.solver])
    expect((await attempts()).at(-1)).toMatchObject({ solver: second, outcome: null })
    const [auction] = await testDatabase.database.select().from(auctions)
    expect(auction?.leftOut).toEqual([
      {
        solver: chain.solver,
        kind: 'rejected',
        reason: `its calldata pays order ${order.uid} 3299 for 1000, promised 3300 for 1000`,
      },
    ])
    expect(await testDatabase.database.select().from(solutions)).toMatchObject([{ solver: second, isWinner: true }])

    const other = await placeSigned({ buyAmount: 10n })
    const dear = 10n ** 30n
    const reverting = await startDriver({
      execute: () => undefined,
      solve: ({ orders }) => ({
        solutions: orders
          .filter(({ uid }) => uid === other.uid)
          .map(({ uid, kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy }) => ({
            ...{ solutionId: 5, submissionAddress: chain.solver },
            orders: {
              [uid]: { side, sellToken, buyToken, limitSell, limitBuy, executedSell: '1000', executedBuy: '30000' },
            },
          })),
      }),
      reveal: ({ auctionId }) =>
        chain.encodeSettle([{ order: other, executedSell: 1000n, executedBuy: dear }], Number(auctionId)),
    })
    await chain.mine(1)
    await tick([reverting.solver, honest.solver])
    expect((await attempts()).at(-1)).toMatchObject({ solver: second })
    const held = await testDatabase.database.select().from(auctions).orderBy(auctions.id)
    expect(held.at(-1)?.leftOut).toMatchObject([
      { solver: chain.solver, reason: expect.stringContaining('its settlement fails: ') },
    ])
    expect(await testDatabase.database.select().from(solverSuspensions)).toEqual([])
  })

  describe('spends a balance once, over pairs and running settlements', () => {
    const idle = { target: `0x${'1d'.repeat(20)}`, value: '0', callData: '0x' } as const
    const wallet: Address = `0x${'1271'.repeat(10)}`
    /** accepts each signature */
    const accepting = '0x631626ba7e60e01b60005260206000f3'
    const hooked = { preInteractions: [idle] }
    const ofWallet = { owner: wallet, signingScheme: 'eip1271', signature: '0x12' } as const
    const transfer = (to: Address, amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })

    beforeAll(async () => {
      const { DAI, USDC, COW } = chain.tokens
      await chain.chain.setCode({ address: wallet, bytecode: accepting })
      await chain.chain.setBalance({ address: wallet, value: wei })
      await chain.chain.impersonateAccount({ address: wallet })
      // the settlements of these tests succeed, so that only the balance decides
      for (const { address } of [DAI, USDC])
        await sendFrom(chain.chain, chain.owner, { to: address, data: transfer(network.settlementContract, 10n ** 9n) })
      for (const holder of [second, wallet])
        await sendFrom(chain.chain, chain.owner, { to: COW.address, data: transfer(holder, 5000n) })
    })

    test.each<[string, { allowance?: bigint }, Partial<NewOrder>[]]>([
      ['of two plain orders', {}, [{}, {}]],
      ['whose approval is below it', { allowance: 3500n }, [{}, { sellAmount: 2000n }]],
      ['of an order with a hook and a plain one', {}, [hooked, {}]],
      ['of two orders with hooks', {}, [hooked, hooked]],
      ['of two orders of a contract', {}, [ofWallet, ofWallet]],
    ])('%s', async (_, { allowance = maxUint256 }, forms) => {
      await prove(chain.solver)
      const { DAI, USDC, COW } = chain.tokens
      const approve = { abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, allowance] } as const
      for (const holder of [second, wallet])
        await sendFrom(chain.chain, holder, { to: COW.address, data: encodeFunctionData(approve) })
      const driver = await startDriver({
        values: { ...values(), [USDC.address]: wei },
        execute: ({ sellAmount }) => ({ sell: BigInt(sellAmount), buy: 2000n }),
      })
      for (const [i, form] of forms.entries()) {
        const own = { owner: second, sellToken: COW.address, sellAmount: 3000n, buyAmount: 900n, ...form }
        const order = await place({ ...own, buyToken: i === 0 ? DAI.address : USDC.address })
        if (order.signingScheme !== 'presign') continue
        const sign = { abi: settlementAbi, functionName: 'setPreSignature', args: [order.uid, true] } as const
        await sendFrom(chain.chain, second, { to: network.settlementContract, data: encodeFunctionData(sign) })
      }
      for (let again = 0; again < 3; again += 1) {
        await tick([driver.solver])
        clock += 20_000
      }
      expect(driver.solved[0]?.orders).toHaveLength(forms.length)
      expect((await attempts()).slice(1)).toMatchObject([{ outcome: null }])
    })
  })

  test('rejects an implausible rate, notifies its solver once, and records it with the auction', async () => {
    const order = await placeSigned()
    const liar = await startDriver({
      execute: () => ({ sell: 1000n, buy: 3000n * 10n ** 6n }),
      solve: (request) => ({ solutions: [1, 2].flatMap((id) => lie(request, id)) }),
    })
    const honest = await startDriver({ name: 'second', address: second, execute: fill(3100n) })
    await tick([liar.solver, honest.solver])
    expect(await attempts()).toMatchObject([{ solver: second }])
    const reason = expect.stringContaining(`order ${order.uid}: buys 3000000000 for 1000, more than 10 times`)
    const [auction] = await testDatabase.database.select().from(auctions)
    const auctionId = String(auction?.id)
    expect(liar.notified).toEqual([{ auctionId, solutionId: 1, kind: 'rejected', reason }])
    expect(honest.notified).toEqual([])
    expect(auction?.leftOut).toEqual([{ solver: chain.solver, kind: 'rejected', reason }])
    expect(logged.filter(({ message }) => message === 'solution rejected')).toMatchObject([
      { solver: 'first', solutionId: 1, reason },
      { solver: 'first', solutionId: 2, reason },
    ])
  })

  const lie = ({ orders }: SolveRequestBody, solutionId: number) =>
    orders.map(({ uid, kind: side, sellToken, buyToken, sellAmount: limitSell, buyAmount: limitBuy }) => ({
      ...{ solutionId, submissionAddress: chain.solver, score: '0' },
      orders: {
        [uid]: { side, sellToken, buyToken, limitSell, limitBuy, executedSell: '1000', executedBuy: '3000000000' },
      },
    }))

  test('gives an order that a solver failed to another, although the first promises more', async () => {
    const order = await placeSigned()
    const refuse = () => {
      throw new Error('no')
    }
    const liar = await startDriver({ execute: fill(3300n), settle: refuse })
    const honest = await startDriver({
      ...{ name: 'second', address: second, execute: fill(3100n) },
      settle: ({ auctionId }) =>
        chain.settle([{ order, executedSell: 1000n, executedBuy: 3100n }], Number(auctionId)).catch(() => undefined),
    })
    const solvers = [liar.solver, honest.solver]
    await tick(solvers)
    await chain.mine(2)
    await tick(solvers)
    expect((await attempts()).map(({ solver }) => solver)).toEqual([chain.solver, second])
  })

  test('excludes a suspended solver until the suspension ends; a sole solver returns', async () => {
    await placeSigned()
    const bad = await startDriver({ execute: fill(3300n) })
    const honest = await startDriver({ name: 'second', address: second, execute: fill(3100n) })
    const row = { chainId, solver: chain.solver, auctionId: 0, from: new Date(clock), failures: 3, level: 1 }
    const until = new Date(clock + 60_000)
    await testDatabase.database.insert(solverSuspensions).values({ ...row, until, reason: 'timeout' })
    await tick([bad.solver, honest.solver])
    expect(bad.solved).toEqual([])
    expect(await attempts()).toMatchObject([{ solver: second }])
    const [auction] = await testDatabase.database.select().from(auctions)
    expect(auction?.leftOut).toEqual([
      {
        solver: chain.solver,
        kind: 'suspended',
        reason: `suspended until ${until.toISOString()}: wins were not settled although nothing prevented it`,
      },
    ])
    await placeSigned()
    auctionClock.wake()
    await tick([bad.solver])
    expect(bad.solved).toHaveLength(1)
    clock += 60_000
    await placeSigned()
    auctionClock.wake()
    await tick([bad.solver, honest.solver])
    expect(bad.solved).toHaveLength(2)
    expect(logged.map(({ message }) => message)).toContain('suspension ended')
  })

  test('requests solutions from a suspended solver for an order that was not won for two blocks', async () => {
    const order = await placeSigned()
    const only = await startDriver({ execute: fill(3200n) })
    const useless = await startDriver({ name: 'second', address: second })
    const row = { chainId, solver: chain.solver, auctionId: 0, from: new Date(clock), failures: 3, level: 1 }
    await testDatabase.database
      .insert(solverSuspensions)
      .values({ ...row, until: new Date(clock + 600_000), reason: 'timeout' })
    const solvers = [only.solver, useless.solver]
    for (const expected of [0, 0, 1]) {
      await tick(solvers)
      expect(only.solved).toHaveLength(expected)
      await chain.mine(1)
    }
    expect(await attempts()).toMatchObject([{ solver: chain.solver }])
    expect((await eventsOf(order)).at(-1)).toBe('executing')
    // unless it failed the order
    await chain.mine(1)
    for (let block = 0; block < 5; block += 1) {
      await tick(solvers)
      await chain.mine(1)
    }
    expect(only.solved).toHaveLength(1)
  })

  test('gives an unproven solver one win at a time, until it has settled one', async () => {
    const { DAI, COW } = chain.tokens
    const placed = [
      await placeSigned(),
      await placeSigned({ sellToken: DAI.address, buyToken: network.wrappedNative, buyAmount: 3100n }),
    ]
    const driver = await startDriver({
      execute: fill(3200n),
      settle: ({ auctionId }) =>
        chain.settle([{ order: placed[0] as NewOrder, executedSell: 1000n, executedBuy: 3200n }], Number(auctionId)),
    })
    expect(placed[0]).toMatchObject({ sellToken: DAI.address, buyToken: COW.address })
    await tick([driver.solver])
    expect(await attempts()).toMatchObject([{ outcome: null }])
    auctionClock.wake()
    await tick([driver.solver])
    expect(await attempts()).toMatchObject([{ outcome: 'success' }, { solver: chain.solver }])
  })

  test('a settlement on-chain takes precedence over a failure reported by the solver', async () => {
    const order = await placeSigned()
    const driver = await startDriver({
      execute: fill(3200n),
      settle: async ({ auctionId }) => {
        await chain.settle([{ order, executedSell: 1000n, executedBuy: 3200n }], Number(auctionId))
        throw new Error('lost the answer of my node')
      },
    })
    await tick([driver.solver])
    expect(await attempts()).toMatchObject([
      { outcome: expect.stringContaining('driver failed'), blame: { party: 'none', orders: [] } },
    ])
    await tick([driver.solver])
    expect(await attempts()).toMatchObject([{ outcome: 'success' }])
    expect(driver.solved).toHaveLength(1)
  })

  test('bad solvers do not affect the auction of the others', async () => {
    await placeSigned()
    const good = await startDriver({ name: 'second', address: second, execute: fill(3100n) })
    const bad = await Promise.all(
      (['garbage', 'huge', 'late', 'never', 'lies'] as const).map(async (misbehaviour, i): Promise<Solver> => {
        const { url, close } = await startBadSolver(misbehaviour)
        stops.push(close)
        const address: Address = `0x${'b'.repeat(39)}${i}`
        return { name: misbehaviour, address, baseUrl: url, timeoutMs: undefined, fetch: (request) => fetch(request) }
      }),
    )
    const unlisted = await startDriver({ name: 'unlisted', address: stranger, execute: fill(9000n) })
    await tick([...bad, unlisted.solver, good.solver], { solveTimeMs: 3_000 })
    expect(await attempts()).toMatchObject([{ solver: second }])
    expect(await testDatabase.database.select().from(solutions)).toHaveLength(1)
    const complaints = logged.flatMap(({ solver, kind, reason }) => (solver ? [[solver, kind ?? reason]] : []))
    expect(complaints).toEqual(
      expect.arrayContaining([
        ['garbage', 'Garbage'],
        ['huge', expect.stringMatching(/Garbage|Timeout/)],
        ['late', 'Timeout'],
        ['never', 'Timeout'],
        ['lies', 'account is no allowed solver'],
        ['unlisted', 'account is no allowed solver'],
      ]),
    )
    expect(complaints).toHaveLength(6)
  })

  test('writes a line for the tick and one for its auction, with their round trips and nothing of the orders', async () => {
    const order = await placeSigned()
    const driver = await startDriver({ execute: fill(3200n) })
    await tick([driver.solver])
    const head = Number(await chain.client.getBlockNumber())
    const [auction] = await testDatabase.database.select().from(auctions)
    const costs = { ms: 0, dbTrips: expect.any(Number), dbMs: expect.any(Number), rpcMs: expect.any(Number) }
    const [ticked, held] = ['tick', 'auction'].map((message) => logged.find((entry) => entry.message === message))
    const blocks = head - startBlock + 1
    expect(ticked).toEqual({
      ...{ message: 'tick', network: 'sepolia', blocks, head, caughtUp: true },
      ...{ ...costs, rpcTrips: expect.any(Number) },
    })
    expect(held).toEqual({
      ...{
        message: 'auction',
        network: 'sepolia',
        auction: auction?.id,
        block: head,
        orders: 1,
        solutions: 1,
        winners: 1,
      },
      ...{ ...costs, rpcTrips: expect.any(Number) },
    })
    for (const { dbTrips, rpcTrips } of [ticked ?? {}, held ?? {}])
      expect(Number(dbTrips) > 0 && Number(rpcTrips) > 0).toBe(true)
    const text = JSON.stringify(logged)
    for (const hex of [order.uid, order.owner]) expect(text).not.toContain(hex.slice(2))
  })

  test('counts ten solutions of a solver, each id once', async () => {
    const placed = []
    for (let i = 0; i < 11; i += 1) placed.push(await placeSigned())
    const driver = await startDriver({ execute: fill(3200n) })
    await tick([driver.solver])
    expect(await testDatabase.database.select().from(solutions)).toHaveLength(10)
    expect(driver.solved[0]?.orders).toHaveLength(placed.length)
    // same pair: one wins, the others were considered
    const events = await Promise.all(placed.map(eventsOf))
    const newest = events.map((labels) => labels.at(-1)).toSorted()
    expect(newest).toEqual([...Array(9).fill('considered'), 'executing', 'ready'])
  })
})

describe('the cut', () => {
  test('stores the usable funds of an order, and updates its row only when they change', async () => {
    const order = await placeSigned()
    const driver = await startDriver({})
    const approve = (amount: bigint) =>
      sendFrom(chain.chain, chain.owner, {
        to: chain.tokens.DAI.address,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [network.vaultRelayer, amount] }),
      })
    const read = async () => {
      const stored = await selectOrder(testDatabase.database, chainId, order.uid)
      if (!stored) throw new Error('no order')
      const { availableBalance } = toOrderResponse(stored, Math.floor(clock / 1000))
      return { availableBalance, version: stored.version }
    }
    const { version } = await read()
    await tick([driver.solver])
    const first = await read()
    expect(first).toEqual({ availableBalance: '1000', version: version + 2 })
    await chain.mine(1)
    await tick([driver.solver])
    expect(await read()).toEqual(first)
    await approve(400n)
    await tick([driver.solver])
    await approve(maxUint256)
    expect(await read()).toEqual({ availableBalance: '400', version: first.version + 1 })
  })

  test('logs why an order is out, once, and lets it in when it can settle', async () => {
    const unsigned = await place()
    const unapproved = await placeSigned({ sellToken: chain.tokens.COW.address, buyToken: chain.tokens.DAI.address })
    const poor = await placeSigned({ sellAmount: 10n ** 40n })
    const dear = await placeSigned({ buyAmount: 4501n })
    const banned = await placeSigned({ receiver: stranger })
    const unpriced = await placeSigned({ buyToken: chain.tokens.USDC.address })
    const expiring = await placeSigned({ validTo: Math.floor(clock / 1000) + 59 })
    const cancelled = await placeSigned()
    await testDatabase.database.update(orders).set({ cancelledAt: new Date() }).where(eq(orders.uid, cancelled.uid))
    const driver = await startDriver({})
    const rules = { bannedUsers: new Set([stranger]) }
    await tick([driver.solver], rules)
    await chain.mine(1)
    await tick([driver.solver], rules)
    expect(await eventsOf(unsigned)).toEqual(['created', 'invalid invalid_signature'])
    expect(await eventsOf(unapproved)).toEqual(['created', 'invalid insufficient_allowance'])
    expect(await eventsOf(poor)).toEqual(['created', 'invalid insufficient_balance'])
    expect(await eventsOf(dear)).toEqual(['created', 'filtered out_of_market'])
    expect(await eventsOf(banned)).toEqual(['created', 'invalid banned_user'])
    expect(await dataOf(unapproved)).toEqual({
      available: '0',
      needed: '1000',
      token: chain.tokens.COW.address,
      spender: network.vaultRelayer,
    })
    expect(await dataOf(poor)).toMatchObject({ needed: `${10n ** 40n}`, token: chain.tokens.DAI.address })
    const offer = { quotedSellAmount: '1000', quotedBuyAmount: '3000' }
    expect(await dataOf(dear)).toEqual({ limitPrice: '4.501', marketPrice: '3', gapBps: 5_004, ...offer })
    expect(await eventsOf(unpriced)).toEqual(['created', 'filtered missing_native_price'])
    expect(await eventsOf(expiring)).toEqual(['created'])
    expect(await eventsOf(cancelled)).toEqual(['created'])
    expect(driver.solved).toEqual([])
    expect(await testDatabase.database.select().from(auctionEntries)).toEqual([])

    await chain.presign(unsigned.uid)
    await tick([driver.solver], rules)
    expect(await eventsOf(unsigned)).toEqual(['created', 'invalid invalid_signature', 'ready'])
    expect(await dataOf(unsigned)).toEqual({ limitPrice: '3', midPrice: '3', midGapBps: 0 })
    const entered = Number(driver.solved[0]?.id)
    await chain.presign(unsigned.uid, false)
    await tick([driver.solver], rules)
    expect(await testDatabase.database.select().from(auctionEntries)).toEqual([
      { chainId, orderUid: unsigned.uid, enteredAuctionId: entered, leftAuctionId: expect.any(Number), body: null },
    ])
    expect(await eventsOf(unsigned)).toEqual([
      'created',
      'invalid invalid_signature',
      'ready',
      'invalid invalid_signature',
    ])
  })

  test('includes an order once the market is near its limit', async () => {
    const dear = await placeSigned({ buyAmount: 4501n })
    const driver = await startDriver({})
    await tick([driver.solver])
    expect(await eventsOf(dear)).toEqual(['created', 'filtered out_of_market'])
    const risen = await startDriver({ values: { ...values(), [chain.tokens.DAI.address]: 4n * wei } })
    // of two prices the lower one counts
    for (let refreshed = 0; refreshed < 2; refreshed++) {
      clock += priceMaxAgeMs
      await tick([risen.solver])
      await chain.mine(1)
    }
    await tick([risen.solver])
    expect(await eventsOf(dear)).toEqual(['created', 'filtered out_of_market', 'ready'])
    expect(risen.solved).toHaveLength(1)
  })

  test('limits a full auction and gives the reason to the orders that leave it', async () => {
    const placed: NewOrder[] = []
    for (let i = 0; i < 7; i++) placed.push(await placeSigned())
    const driver = await startDriver({})
    await tick([driver.solver])
    expect(driver.solved.at(-1)?.orders).toHaveLength(7)

    await chain.mine(1)
    await tick([driver.solver], { maxOrders: 5 })
    const offered = new Set(driver.solved.at(-1)?.orders.map(({ uid }) => uid))
    expect(offered.size).toBeLessThanOrEqual(5)
    expect(offered.has(placed.at(-1)?.uid as Hex)).toBe(true)
    for (const order of placed) {
      const left = offered.has(order.uid) ? [] : ['filtered auction_full']
      expect(await eventsOf(order)).toEqual(['created', 'ready', ...left])
    }

    await chain.mine(1)
    await tick([driver.solver])
    expect(driver.solved.at(-1)?.orders).toHaveLength(7)
  })

  test('excludes an order whose owner contract no longer accepts its signature', async () => {
    const wallet: Address = `0x${'1271'.repeat(10)}`
    const become = (bytecode: `0x${string}`) => chain.chain.setCode({ address: wallet, bytecode })
    await become('0x631626ba7e60e01b60005260206000f3')
    const order = await place({ owner: wallet, signingScheme: 'eip1271', signature: '0x12' })
    const driver = await startDriver({})
    await tick([driver.solver])
    expect(await eventsOf(order)).toEqual(['created', 'ready'])
    await become('0x60006000fd')
    await chain.mine(20)
    await tick([driver.solver])
    expect(await eventsOf(order)).toEqual(['created', 'ready', 'invalid invalid_signature'])
    expect(await dataOf(order)).toEqual({ signingScheme: 'eip1271', contract: wallet })
  })

  test('closes the entry of an order that expires, and writes nothing after a cancellation', async () => {
    const validTo = Math.floor(clock / 1000) + 100
    const [expiring, cancelled] = [await placeSigned({ validTo }), await placeSigned()]
    const driver = await startDriver({})
    await tick([driver.solver])
    expect(await testDatabase.database.select().from(auctionEntries)).toHaveLength(2)
    clock += 50_000
    await testDatabase.database.update(orders).set({ cancelledAt: new Date() }).where(eq(orders.uid, cancelled.uid))
    await testDatabase.database
      .insert(orderEvents)
      .values({ chainId, orderUid: cancelled.uid, key: 'cancelled', label: 'cancelled' })
    await tick([driver.solver])
    const entries = await testDatabase.database.select().from(auctionEntries)
    expect(entries.map(({ leftAuctionId }) => leftAuctionId)).toEqual([expect.any(Number), expect.any(Number)])
    expect(await eventsOf(expiring)).toEqual(['created', 'ready'])
    expect(await eventsOf(cancelled)).toEqual(['created', 'ready', 'cancelled'])
  })

  test('repeats an auction without a solution not on the same block, but later, when the clock went back, and on a new block', async () => {
    await placeSigned()
    const driver = await startDriver({})
    await tick([driver.solver])
    auctionClock.wake()
    await tick([driver.solver])
    expect(driver.solved).toHaveLength(1)
    clock += 10_000
    await tick([driver.solver])
    expect(driver.solved).toHaveLength(2)
    clock -= 3_600_000
    await tick([driver.solver])
    expect(driver.solved).toHaveLength(3)
    await chain.mine(1)
    await tick([driver.solver])
    expect(driver.solved).toHaveLength(4)
    await placeSigned()
    await tick([driver.solver])
    expect(driver.solved.at(-1)?.orders).toHaveLength(2)
  })

  test('requests a price once while it is fresh and uses the last one while no solver responds', async () => {
    const order = await placeSigned()
    const driver = await startDriver({})
    await tick([driver.solver])
    await chain.mine(1)
    await tick([driver.solver])
    expect(driver.asked.filter(({ pathname }) => pathname === '/quote')).toHaveLength(4)
    clock += 30_000
    const silent = { ...driver.solver, fetch: () => Promise.reject(new Error('gone')) }
    await tick([silent])
    expect(await eventsOf(order)).toEqual(['created', 'ready'])
    clock += 300_000
    await tick([silent])
    expect(await eventsOf(order)).toEqual(['created', 'ready', 'filtered missing_native_price'])
  })
})

describe('the clock', () => {
  test('records nothing and requests no settlement when another clock has cut a newer auction, or has an order in flight', async () => {
    const order = await placeSigned()
    const driver = await startDriver({ execute: fill(3200n) })
    const overtake = {
      ...driver.solver,
      fetch: async (request: Request) => {
        if (request.url.endsWith('/solve'))
          await testDatabase.database.update(currentAuctions).set({ id: 1_000_000_000 })
        return fetch(request)
      },
    }
    await tick([overtake])
    expect(logged).toContainEqual(expect.objectContaining({ message: 'step failed', step: 'auction' }))
    expect([await testDatabase.database.select().from(auctions), await attempts(), driver.settled]).toEqual([
      [],
      [],
      [],
    ])
    expect(await eventsOf(order)).toEqual(['created', 'ready'])

    await testDatabase.database.delete(currentAuctions)
    const twice = {
      ...driver.solver,
      fetch: async (request: Request) => {
        if (request.url.endsWith('/solve')) {
          const [current] = await testDatabase.database.select().from(currentAuctions)
          const rival = { chainId, auctionId: 77, solutionUid: 0, solver: second }
          await testDatabase.database
            .insert(settlementAttempts)
            .values({ ...rival, startBlock: 1, deadlineBlock: 1_000_000 })
          await testDatabase.database.insert(solutionOrders).values({
            ...{ chainId, auctionId: 77, solutionUid: 0, orderUid: order.uid, side: 'sell' },
            ...{ sellToken: order.sellToken, buyToken: order.buyToken, limitSell: 1000n, limitBuy: 3000n },
            ...{ executedSell: 1000n, executedBuy: 3000n },
          })
          expect(current?.id).toBeGreaterThan(0)
        }
        return fetch(request)
      },
    }
    restart()
    await tick([twice])
    expect(driver.solved).toHaveLength(2)
    expect(await attempts()).toMatchObject([{ auctionId: 77 }])
    expect(driver.settled).toEqual([])
  })

  test('continues when a step fails, and runs one auction at a time', async () => {
    await placeSigned()
    const driver = await startDriver({})
    const broken = Object.assign(Object.create(chain.client), { getBlock: () => Promise.reject(new Error('no node')) })
    await tick([driver.solver], { chain: broken })
    expect(logged).toEqual([
      { message: 'step failed', step: 'index', cause: 'Error: no node' },
      expect.objectContaining({ message: 'tick', network: 'sepolia', blocks: 0, head: null, caughtUp: false }),
    ])
    expect(driver.solved).toEqual([])
    const ticked = Promise.withResolvers<void>()
    const slow = {
      ...driver.solver,
      fetch: async (request: Request) => {
        await ticked.promise
        return fetch(request)
      },
    }
    configure([slow])
    await Promise.all([auctionClock.tick(), auctionClock.tick()])
    auctionClock.wake()
    await auctionClock.tick()
    expect(background).toHaveLength(1)
    ticked.resolve()
    await Promise.all(background.splice(0))
    expect(driver.solved).toHaveLength(1)
  })

  const createConditional = async () => {
    const row = { chainId, owner: chain.solver, hash: pad('0x01'), handler: chain.solver, salt: pad('0x'), proof: [] }
    await testDatabase.database
      .insert(conditionalOrders)
      .values({ ...row, staticInput: '0x', blockNumber: startBlock, logIndex: 0 })
  }
  const judgedBlock = async () => (await testDatabase.database.select().from(conditionalOrders))[0]?.judgedBlock

  test('conditional orders whose evaluation takes long do not delay an auction, and are evaluated once at a time', async () => {
    await placeSigned()
    await createConditional()
    const end = Promise.withResolvers<void>()
    let evaluations = 0
    const slow: ChainClient = Object.assign(Object.create(chain.client), {
      call: async (parameters: Parameters<ChainClient['call']>[0]) => {
        if (parameters.data?.includes(network.composableCow.slice(2))) {
          evaluations += 1
          await end.promise
        }
        return chain.client.call(parameters)
      },
    })
    const driver = await startDriver({ execute: () => undefined })
    configure([driver.solver], { chain: slow })
    await auctionClock.tick()
    await expect.poll(() => driver.solved.length, { timeout: 20_000 }).toBe(1)
    await chain.mine(1)
    await auctionClock.tick()
    expect(evaluations).toBe(1)
    end.resolve()
    await Promise.all(background.splice(0))
    await tick([driver.solver])
    expect(await judgedBlock()).not.toBeNull()
  })

  test('evaluates no conditional order while new orders or the network are paused', async () => {
    await createConditional()
    for (const subject of ['orders', 'network'] as const) {
      await tick([], { findPauses: async () => new Map([[subject, 'maintenance']]) })
      expect(await judgedBlock()).toBeNull()
      await chain.mine(1)
    }
    await tick([])
    expect(await judgedBlock()).not.toBeNull()
  })

  test('repeats an auction without a solution after an interval, and at once when the system time jumps an hour', async () => {
    await placeSigned()
    const driver = await startDriver({ execute: () => undefined })
    const auctionsAfter = async (ms: number) => {
      clock += ms
      await tick([driver.solver])
      return driver.solved.splice(0).length
    }
    expect(await auctionsAfter(0)).toBe(1)
    expect(await auctionsAfter(auctionIntervalMs - 1)).toBe(0)
    expect(await auctionsAfter(1)).toBe(1)
    for (const jump of [-3_600_000, 3_600_000]) {
      expect(await auctionsAfter(jump)).toBe(1)
      expect(await auctionsAfter(1)).toBe(0)
    }
  })

  test('wakes the notifier after new blocks and after an auction, and continues when that fails', async () => {
    let wakes = 0
    const notify = async () => {
      wakes += 1
      throw new Error('the notifier is unavailable')
    }
    await tick([], { notify })
    expect(wakes).toBe(2)
    expect(logged.filter(({ step }) => step === 'notify')).toHaveLength(2)
    await tick([], { notify })
    expect(wakes).toBe(2)
  })
})
