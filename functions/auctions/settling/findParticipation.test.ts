import { eq } from 'drizzle-orm'
import { type Address, type Hex, pad } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertOrder, type NewOrder } from '#schema/queries/orders/orders.ts'
import { solutionOrders, solutions } from '#schema/tables/auctions/solutions.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { type Blame, settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { settlementFailures } from '#schema/tables/settlements/settlementFailures.ts'
import { solverSuspensions } from '#schema/tables/settlements/solverSuspensions.ts'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { startTestDriver, type TestDriver } from '#test/helpers/solvers/testDriver.ts'
import { findParticipation, noParticipation } from './findParticipation.ts'
import type { SettlingDeps } from './settlingDeps.ts'

const network = networks.sepolia
const chainId: number = network.chainId
const other: number = networks.gnosis.chainId
const [bad, rival]: [Address, Address] = [`0x${'ba'.repeat(20)}`, `0x${'41'.repeat(20)}`]
const minute = 60_000

let testDatabase: TestDatabase
let drivers: TestDriver[] = []
let before = noParticipation
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
  before = noParticipation
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
  ...{ chain: {} as never, simulate: {} as never, submissionDeadlineBlocks: 5 },
  database: testDatabase.database,
  solvers: drivers.map(({ solver }) => solver),
  now: () => clock,
  log: (entry) => logged.push(entry),
  background: (work) => background.push(work),
  ...changes,
})
const find = async (changes?: Partial<SettlingDeps>) => {
  const { participation } = await findParticipation(deps(changes), before)
  before = participation
  await Promise.all(background.splice(0))
  return participation.suspensions
}
const uidOf = (order: number) => placed[order]?.uid as Hex

type AttemptTerms = { by?: Address; of?: number; blame?: Blame['party'] | null; score?: bigint; debt?: string }

/** An attempt from block 10 to 15 with one order; running without an outcome. */
const attempt = async (
  outcome: string | null,
  order: number,
  { by = bad, of = chainId, blame = outcome === 'success' ? null : 'solver', score = 7n, debt }: AttemptTerms = {},
) => {
  auction += 1
  const key = { chainId: of, auctionId: auction, solutionUid: 0 }
  const end = { outcome, endBlock: 15, endedAt: new Date(clock) }
  await testDatabase.database.insert(settlementAttempts).values({
    ...{ ...key, solver: by, startBlock: 10, deadlineBlock: 15 },
    ...(outcome === null
      ? {}
      : { ...end, blame: blame && { party: blame, orders: [], reason: 'x', ...(debt && { debt }) } }),
  })
  await testDatabase.database.insert(solutions).values({
    ...{ chainId: of, auctionId: auction, uid: 0, solver: by, solutionId: 1 },
    ...{ isWinner: true, filteredOut: false, score },
  })
  const { sellToken, buyToken } = placed[0] as NewOrder
  const amounts = { limitSell: 1n, limitBuy: 1n, executedSell: 1n, executedBuy: 1n }
  await testDatabase.database
    .insert(solutionOrders)
    .values({ ...key, orderUid: uidOf(order), side: 'sell', sellToken, buyToken, ...amounts })
}

describe('findParticipation', () => {
  test('finds how much each solver may have unsettled, and which are unproven', async () => {
    const look = async () => {
      const { participation } = await findParticipation(deps(), noParticipation)
      return [participation.allowances.get(bad), participation.unproven.has(bad)]
    }
    await attempt(null, 0, { of: other })
    expect(await look()).toEqual([{ score: 0n, unsettled: 0 }, true])
    await attempt(null, 0)
    expect(await look()).toEqual([{ score: 0n, unsettled: 1 }, true])
    await attempt('success', 1)
    expect(await look()).toEqual([undefined, false])
    await attempt('timeout', 2, { blame: 'none' })
    expect(await look()).toEqual([undefined, false])
    await attempt('mismatch', 2)
    await find()
    await attempt('success', 3)
    expect(await look()).toEqual([{ score: 10n ** 17n - 7n, unsettled: 1 }, false])
    await attempt(null, 3, { score: 10n ** 18n })
    expect(await look()).toEqual([{ score: 0n, unsettled: 2 }, false])
  })

  test('suspends a solver once, logs and notifies it, and ends the suspension in time', async () => {
    await attempt('success', 4)
    for (const order of [0, 1]) await attempt('timeout', order)
    for (const blame of ['orders', 'none', null] as const) await attempt('driver failed: x', 3, { blame })
    expect([...(await find())]).toEqual([])
    await attempt('timeout', 2)
    const until = clock + minute
    const suspension = [[bad, { reason: 'timeout', level: 1, until }]]
    expect([...(await find())]).toEqual(suspension)
    clock += 30_000
    expect([...(await find())]).toEqual(suspension)
    before = noParticipation
    expect([...(await find())]).toEqual(suspension)
    const rows = await testDatabase.database.select().from(solverSuspensions)
    expect(rows).toMatchObject([{ chainId, solver: bad, auctionId: 7, failures: 3, level: 1, until: new Date(until) }])
    const reason = `suspended until ${new Date(until).toISOString()}: wins were not settled although nothing prevented it`
    expect(drivers[0]?.notified).toEqual([{ auctionId: '7', solutionId: null, kind: 'suspended', reason }])
    expect(drivers[1]?.notified).toEqual([])
    clock = until
    expect([...(await find())]).toEqual([])
    expect([...(await find())]).toEqual([])
    expect(logged.map(({ message, solver }) => `${message}: ${solver}`)).toEqual([
      'solver suspended: bad',
      'suspension ended: bad',
    ])
  })

  test('suspends a solver that pays less again for twice as long, although it settles in between', async () => {
    const thefts = 5
    for (let theft = 0; theft < thefts; theft += 1) {
      for (let i = 0; i < 4; i += 1) await attempt('success', 1)
      await attempt('mismatch', 0)
      const until = clock + minute * 2 ** theft
      expect([...(await find())]).toEqual([[bad, { reason: 'mismatch', level: theft + 1, until }]])
      clock = until
    }
  })

  test('finds the debt of each solver on its network', async () => {
    await attempt('mismatch', 0, { debt: '7000000000000000' })
    await attempt('mismatch', 1, { debt: '5000000000000000' })
    await attempt('mismatch', 1, { debt: '1', of: other })
    await attempt('success', 2, { by: rival })
    await find()
    expect([...before.debts]).toEqual([[bad, 12n * 10n ** 15n]])
  })

  test('a mismatch remains the reason while its suspension is prolonged', async () => {
    await attempt('mismatch', 0)
    await find()
    await attempt('timeout', 1)
    expect([...(await find()).values()]).toMatchObject([{ reason: 'mismatch', until: clock + 2 * minute }])
    clock += 2 * minute
    await attempt('timeout', 2)
    expect([...(await find()).values()]).toMatchObject([{ reason: 'timeout' }])
  })

  test('judges no attempt twice that was running when the suspension began', async () => {
    for (const order of [0, 1, 2]) await attempt('timeout', order)
    await attempt(null, 3)
    await find()
    clock += minute
    await testDatabase.database
      .update(settlementAttempts)
      .set({ outcome: 'timeout', endBlock: 15, blame: { party: 'solver', orders: [], reason: 'x' } })
      .where(eq(settlementAttempts.auctionId, 4))
    expect([...(await find())]).toEqual([])
  })

  test('lists the failures that count against solvers, and attempts without an attribution', async () => {
    const row = (order: number, failures: number, reverts: number, faults: number) => ({
      ...{ chainId, orderUid: uidOf(order), solver: bad, failures, reverts, faults, lastOutcome: 'x', lastBlock: 9 },
    })
    await testDatabase.database.insert(settlementFailures).values([row(0, 2, 2, 0), row(1, 3, 1, 4), row(2, 1, 0, 1)])
    await testDatabase.database.insert(blocks).values({ chainId, number: 20, hash: pad('0x1'), timestamp: new Date() })
    await attempt('timeout', 3, { blame: null })
    await attempt('timeout', 3, { blame: null, of: other })
    await attempt('driver failed: x', 3)
    const { participation, unattributed } = await findParticipation(deps(), noParticipation)
    expect(participation.failures.map(({ orderUid, faults }) => [orderUid, faults])).toEqual([
      [uidOf(1), 4],
      [uidOf(2), 1],
    ])
    expect(unattributed).toEqual([
      { auctionId: 1, solutionUid: 0, solver: bad, startBlock: 10, endBlock: 15, deadlineBlock: 15, undoneFrom: null },
    ])
  })

  test('separates networks', async () => {
    await attempt('success', 4, { of: other })
    for (const order of [0, 1, 2]) await attempt('timeout', order, { of: other })
    expect([...(await find())]).toEqual([])
    expect(await testDatabase.database.select().from(solverSuspensions)).toEqual([])
    const gnosis = deps({ network: networks.gnosis })
    const { participation } = await findParticipation(gnosis, noParticipation)
    expect([...participation.suspensions.keys()]).toEqual([bad])
    expect(await testDatabase.database.select().from(solverSuspensions)).toMatchObject([
      { chainId: other, auctionId: 4 },
    ])
  })

  test('returns the previous suspensions when the database fails', async () => {
    for (const order of [0, 1, 2]) await attempt('timeout', order)
    await find()
    const broken = new Proxy(testDatabase.database, {
      get: (target, key) => (key === 'batch' ? () => Promise.reject(new Error('away')) : Reflect.get(target, key)),
    })
    expect([...(await find({ database: broken })).keys()]).toEqual([bad])
    clock += minute
    expect([...(await find({ database: broken })).keys()]).toEqual([])
  })
})
