import { eq } from 'drizzle-orm'
import { type Address, type Hex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { solutionOrders } from '#schema/tables/auctions/solutions.ts'
import { invalidations } from '#schema/tables/chain/invalidations.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { solverSuspensions } from '#schema/tables/settlements/solverSuspensions.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { startTestDriver, type TestDriver } from '#test/helpers/solvers/testDriver.ts'
import { createParticipationState, findParticipation } from './findParticipation.ts'
import type { SettlingDeps } from './settlingDeps.ts'

const network = networks.sepolia
const chainId: number = network.chainId
const other: number = networks.gnosis.chainId
const [bad, rival]: [Address, Address] = [`0x${'ba'.repeat(20)}`, `0x${'41'.repeat(20)}`]
const minute = 60_000

let testDatabase: TestDatabase
let drivers: TestDriver[] = []
let state = createParticipationState()
let clock = 0
let logged: Record<string, unknown>[] = []
const background: Promise<unknown>[] = []
let auction = 0
let placed: NewOrder[] = []

beforeAll(async () => {
  testDatabase = await startTestDatabase()
  const start = (name: string, address: Address) => startTestDriver({ name, address, execute: () => undefined })
  drivers = [await start('bad', bad), await start('rival', rival)]
})
afterAll(async () => {
  await testDatabase?.close()
  await Promise.all(drivers.map(({ stop }) => stop()))
})
beforeEach(async () => {
  await emptyDatabase(testDatabase.database)
  state = createParticipationState()
  clock = 1_800_000_000_000
  logged = []
  auction = 0
  placed = [1, 2, 3, 4, 5].map((seed) => newOrder(seed))
  for (const id of [chainId, other])
    for (const order of placed) await insertOrder(testDatabase.database, { ...order, chainId: id })
})
afterEach(() => {
  for (const driver of drivers) driver.notified.splice(0)
})

const deps = (changes: Partial<SettlingDeps> = {}): SettlingDeps => ({
  network,
  database: testDatabase.database,
  solvers: drivers.map(({ solver }) => solver),
  now: () => clock,
  log: (entry) => logged.push(entry),
  background: (work) => background.push(work),
  ...changes,
})
const find = async (changes?: Partial<SettlingDeps>) => {
  const { suspensions } = await findParticipation(deps(changes), state)
  await Promise.all(background.splice(0))
  return suspensions
}
const uidOf = (order: number) => placed[order]?.uid as Hex

/** An ended attempt from block 10 to 15 with these orders. */
const attempt = async (outcome: string | null, orders: number[], { by = bad, of = chainId } = {}) => {
  auction += 1
  const key = { chainId: of, auctionId: auction, solutionUid: 0 }
  await testDatabase.database.insert(settlementAttempts).values({
    ...{ ...key, solver: by, startBlock: 10, deadlineBlock: 15 },
    ...(outcome === null ? {} : { outcome, endBlock: 15, endedAt: new Date() }),
  })
  const { sellToken, buyToken } = placed[0] as NewOrder
  const terms = {
    side: 'sell',
    sellToken,
    buyToken,
    limitSell: 1n,
    limitBuy: 1n,
    executedSell: 1n,
    executedBuy: 1n,
  } as const
  await testDatabase.database
    .insert(solutionOrders)
    .values(orders.map((i) => ({ ...key, orderUid: uidOf(i), ...terms })))
}
const trade = async (order: number, blockNumber: number, by: Address, of = chainId) => {
  const at = { chainId: of, blockNumber, transactionHash: `0x${'77'.repeat(32)}` as Hex }
  await testDatabase.database
    .insert(settlements)
    .values({ ...at, logIndex: 100 + order, solver: by, gasUsed: 1n, effectiveGasPrice: 1n })
  const { owner, sellToken, buyToken } = placed[order] as NewOrder
  const amounts = { sellAmount: 1n, buyAmount: 1n, feeAmount: 0n }
  const tokens = { owner, sellToken, buyToken, settlementLogIndex: 100 + order }
  await testDatabase.database
    .insert(trades)
    .values({ ...at, logIndex: order, orderUid: uidOf(order), ...tokens, ...amounts })
}
const failed = 'driver failed: FailedToSubmit: reverted'

describe('findParticipation', () => {
  test('finds how many wins each solver may still get, and which are unproven', async () => {
    const look = async () => {
      const { allowances, unproven } = await findParticipation(deps(), state)
      return [allowances.get(bad), unproven.has(bad)]
    }
    await attempt(null, [0], { of: other })
    expect(await look()).toEqual([1, true])
    await attempt(null, [0])
    expect(await look()).toEqual([0, true])
    await attempt('success', [1])
    await attempt(null, [2])
    expect(await look()).toEqual([2, false])
    await attempt(null, [3])
    await attempt(null, [4])
    await attempt(null, [4])
    expect(await look()).toEqual([0, false])
  })

  test('suspends an unproven solver after one time-out, and has it unproven again afterwards', async () => {
    await attempt('timeout', [0])
    expect([...(await find()).keys()]).toEqual([bad])
    await attempt('success', [1])
    expect(state.participation.unproven.has(bad)).toBe(true)
    await find()
    expect(state.participation.unproven.has(bad)).toBe(false)
  })

  test('excuses a time-out during which the chain was reorganised, and one more for each success', async () => {
    const reorganise = () =>
      testDatabase.database
        .update(settlementAttempts)
        .set({ undoneFrom: 12 })
        .where(eq(settlementAttempts.auctionId, auction))
    await attempt('timeout', [0])
    await reorganise()
    await attempt('timeout', [1], { of: other })
    expect([...(await find())]).toEqual([])
    await attempt('timeout', [2])
    expect([...(await find()).keys()]).toEqual([bad])
  })

  test('excuses no mismatch because the chain was reorganised', async () => {
    await attempt('mismatch', [0])
    await testDatabase.database.update(settlementAttempts).set({ undoneFrom: 12 })
    expect([...(await find()).values()]).toMatchObject([{ reason: 'mismatch' }])
  })

  test('suspends a solver once, logs and notifies it, and ends the suspension in time', async () => {
    await attempt('success', [4])
    await attempt('timeout', [0])
    await attempt('timeout', [1])
    expect([...(await find())]).toEqual([])
    await attempt('timeout', [2])
    const until = clock + minute
    expect([...(await find())]).toEqual([[bad, { reason: 'timeout', until }]])
    clock += 30_000
    expect([...(await find())]).toEqual([[bad, { reason: 'timeout', until }]])
    state = createParticipationState()
    expect([...(await find())]).toEqual([[bad, { reason: 'timeout', until }]])
    const rows = await testDatabase.database.select().from(solverSuspensions)
    expect(rows).toMatchObject([{ chainId, solver: bad, auctionId: 4, failures: 3, level: 1, until: new Date(until) }])
    expect(drivers[0]?.notified).toEqual([
      {
        auctionId: '4',
        solutionId: null,
        kind: 'suspended',
        reason: `suspended until ${new Date(until).toISOString()}: wins were not settled by their deadlines`,
      },
    ])
    expect(drivers[1]?.notified).toEqual([])
    clock = until
    expect([...(await find())]).toEqual([])
    expect([...(await find())]).toEqual([])
    expect(logged.map(({ message, solver }) => `${message}: ${solver}`)).toEqual([
      'solver suspended: bad',
      'suspension ended: bad',
    ])
  })

  test('suspends a solver on probation for twice as long, and shrinks its level with successes', async () => {
    for (const order of [0, 1, 2]) await attempt('mismatch', [order])
    await find()
    clock += minute
    await attempt('mismatch', [3])
    expect([...(await find())]).toEqual([[bad, { reason: 'mismatch', until: clock + 2 * minute }]])
    clock += 2 * minute
    await attempt('success', [4])
    await attempt('success', [4])
    await attempt('timeout', [0])
    expect([...(await find())]).toEqual([])
  })

  test('does not prolong a suspension for reverts during it, and counts them afterwards', async () => {
    await attempt('timeout', [0])
    await find()
    const until = clock + minute
    clock += 1_000
    await attempt(failed, [1])
    expect([...(await find()).values()]).toEqual([{ reason: 'timeout', until }])
    await attempt('timeout', [2])
    expect([...(await find()).values()]).toEqual([{ reason: 'timeout', until: clock + 2 * minute }])
    await attempt(failed, [3])
    clock += 2 * minute
    expect([...(await find()).values()]).toEqual([{ reason: 'reverted', until: clock + 4 * minute }])
    await attempt(failed, [4])
    expect([...(await find()).values()]).toEqual([{ reason: 'reverted', until: clock + 8 * minute }])
  })

  test('a mismatch remains the reason while its suspension is prolonged', async () => {
    await attempt('mismatch', [0])
    await find()
    await attempt('timeout', [1])
    expect([...(await find()).values()]).toEqual([{ reason: 'mismatch', until: clock + 2 * minute }])
    clock += 2 * minute
    await attempt('timeout', [2])
    expect([...(await find()).values()]).toMatchObject([{ reason: 'timeout' }])
  })

  test('judges no attempt twice that was running when the suspension began', async () => {
    for (const order of [0, 1, 2]) await attempt('timeout', [order])
    await attempt(null, [3])
    await find()
    clock += minute
    await testDatabase.database
      .update(settlementAttempts)
      .set({ outcome: 'timeout', endBlock: 15 })
      .where(eq(settlementAttempts.auctionId, 4))
    expect([...(await find())]).toEqual([])
  })

  test('excuses a failure whose order another solver traded meanwhile, or whose owner withdrew it', async () => {
    await attempt('success', [4])
    for (const order of [0, 1, 2]) await attempt('timeout', [order])
    await trade(0, 15, rival)
    expect([...(await find())]).toEqual([])
    await attempt(failed, [3])
    const place = { chainId, blockNumber: 12, logIndex: 1, transactionHash: pad('0x9') }
    await testDatabase.database
      .insert(invalidations)
      .values({ ...place, orderUid: uidOf(3), owner: placed[3]?.owner as Address })
    expect([...(await find())]).toEqual([])
  })

  test('excuses no failure whose order the solver traded itself outside the auction', async () => {
    for (const order of [0, 1, 2]) await attempt('timeout', [order])
    await trade(0, 15, bad)
    expect([...(await find()).keys()]).toEqual([bad])
  })

  test('excuses reverts of orders that revert for another solver too, until a solver fills them', async () => {
    for (const order of [0, 1, 2]) await attempt(failed, [order])
    await attempt(failed, [0], { by: rival })
    expect([...(await find())]).toEqual([])
    await trade(0, 20, rival)
    expect([...(await find())]).toEqual([[bad, { reason: 'reverted', until: clock + minute }]])
  })

  test('excuses no time-out and no mismatch because of another solver', async () => {
    for (const order of [0, 1]) await attempt('timeout', [order])
    await attempt('mismatch', [2])
    for (const order of [0, 1, 2]) await attempt(failed, [order], { by: rival })
    expect([...(await find()).keys()]).toEqual([bad, rival])
  })

  test('separates networks', async () => {
    await attempt('success', [4], { of: other })
    for (const order of [0, 1, 2]) await attempt('timeout', [order], { of: other })
    expect([...(await find())]).toEqual([])
    expect(await testDatabase.database.select().from(solverSuspensions)).toEqual([])
    for (const order of [0, 1, 2]) await attempt(failed, [order])
    await attempt(failed, [0], { by: rival, of: other })
    await trade(1, 12, rival, other)
    expect([...(await find()).keys()]).toEqual([bad])
    const gnosis = { network: networks.gnosis }
    // the trade there excuses one of three
    expect([...(await findParticipation(deps(gnosis), createParticipationState())).suspensions.keys()]).toEqual([])
    await attempt('timeout', [3], { of: other })
    expect([...(await findParticipation(deps(gnosis), createParticipationState())).suspensions.keys()]).toEqual([bad])
    const rows = await testDatabase.database.select().from(solverSuspensions).orderBy(solverSuspensions.chainId)
    expect(rows.map((row) => [row.chainId, row.auctionId])).toEqual([
      [other, 9],
      [chainId, 7],
    ])
  })

  test('returns the previous state when the database fails', async () => {
    for (const order of [0, 1, 2]) await attempt('timeout', [order])
    await find()
    const broken = new Proxy(testDatabase.database, {
      get: (target, key) => (key === 'batch' ? () => Promise.reject(new Error('away')) : Reflect.get(target, key)),
    })
    expect([...(await find({ database: broken })).keys()]).toEqual([bad])
    clock += minute
    expect([...(await find({ database: broken })).keys()]).toEqual([])
  })
})
