import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { insertQuote } from '#schema/queries/quotes/quotes.ts'
import { insertTradeValues } from '#schema/queries/settlements/tradeValues.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { solverSuspensions } from '#schema/tables/settlements/solverSuspensions.ts'
import { networkStatusSchema } from '#shared/alarms/networkStatusSchema.ts'
import { insertSettledTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getStatus, type StatusDeps } from './getStatus.ts'
import { toSolverStatuses } from './toSolverStatuses.ts'

const chainId = 11_155_111
const solver: Address = `0x${'0a'.repeat(20)}`
const { database, databaseUrl, close } = await startTestDatabase()
afterAll(close)

const latencies = {
  quotes: { count: 2, p50Ms: 10, p95Ms: 20, p99Ms: 20 },
  submissions: { count: 2, p50Ms: 30, p95Ms: 40, p99Ms: 40 },
  timeToFill: { count: 1, p50Ms: 12_000, p95Ms: 12_000, p99Ms: 12_000 },
}

beforeAll(async () => {
  const timestamp = new Date(1_700_000_000_000)
  await database.insert(blocks).values({ chainId, number: 100, hash: `0x${'ee'.repeat(32)}`, timestamp })
  for (const elapsedMs of [10, 20]) await insertQuote(database, newQuote({ elapsedMs }))
  const createdAt = new Date(Date.now() - 60_000)
  await storeOrder(database, newOrder(100, { createdAt, admissionMs: 30, class: 'market' }))
  await storeOrder(database, newOrder(2, { createdAt, admissionMs: 40 }))
  const settledAt = new Date(createdAt.getTime() + 12_000)
  await insertSettledTrade(database, 100, { ...newOrder(100), settlement: { settledAt } })
  await insertTradeValues(database, chainId, 100)
  const until = new Date('2100-11-22T10:01:00Z')
  const suspension = { reason: 'timeout', failures: 3, level: 1, from: timestamp, until } as const
  await database.insert(solverSuspensions).values({ chainId, solver, auctionId: 1, ...suspension })
})

/** A status whose lookups are counted; `setAway(true)` makes the database unavailable. */
const setUp = (changes: Partial<StatusDeps> = {}) => {
  const counts = { current: 0, recent: 0, head: 0 }
  let now = 1_700_000_060_000
  let isAway = false
  const counted = connectDatabase(databaseUrl, 20_000, async (url, init) => {
    if (isAway) throw new Error('away')
    if (String(init.body).includes('timeToFill')) counts.current += 1
    else counts.recent += 1
    return fetch(url, init)
  })
  const app = getStatus({
    database: counted,
    chainId,
    knownSolvers: [],
    now: () => now,
    findHead: async () => {
      counts.head += 1
      return { number: 103n, timestamp: 1_700_000_036n }
    },
    findSolverFaults: async () => new Map(),
    ...changes,
  })
  return {
    counts,
    pass: (ms: number) => {
      now += ms
    },
    setAway: (away: boolean) => {
      isAway = away
    },
    request: () => app.request('/status.json'),
  }
}

test('the status matches its schema, is cacheable for five seconds, and compares the indexer with the node', async () => {
  const findSolverFaults = async () => new Map([[solver, 'funds: the account holds 0 wei']])
  const response = await setUp({ knownSolvers: [{ name: 'direct', address: solver }], findSolverFaults }).request()
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
  const status = networkStatusSchema.strict().parse(await response.json())
  expect(status).toMatchObject({
    state: 'ok',
    time: '2023-11-14T22:14:20.000Z',
    ...latencies,
    indexer: {
      block: 100,
      head: 103,
      safeBlock: 71,
      finalizedBlock: 7,
      lagBlocks: 3,
      lagSeconds: 36,
      headAgeSeconds: 24,
    },
    notifications: { oldestUndeliveredSeconds: null },
    solvers: [
      {
        name: 'direct',
        address: solver,
        fault: 'funds: the account holds 0 wei',
        suspension: { reason: 'timeout', failures: 3, until: '2100-11-22T10:01:00Z' },
      },
    ],
  })
})

test.each([
  ['fails', () => Promise.reject(new Error('no node'))],
  ['never responds', () => new Promise<never>(() => undefined)],
])('a node that %s leaves its fields null', async (_, findHead) => {
  const response = await setUp({ findHead }).request()
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    ...latencies,
    indexer: {
      ...{ block: 100, head: null, safeBlock: 68, finalizedBlock: 4 },
      ...{ lagBlocks: null, lagSeconds: null, headAgeSeconds: null },
    },
  })
})

test('a node behind the indexer has no negative lag', async () => {
  const findHead = async () => ({ number: 98n, timestamp: 1_800_000_000n })
  const { indexer } = networkStatusSchema.parse(await (await setUp({ findHead }).request()).json())
  expect(indexer).toMatchObject({ lagBlocks: 0, headAgeSeconds: 0 })
})

test('lists configured solvers, and counts all solved auctions as missed by inactive ones', () => {
  const [direct, late, former] = (['01', '02', '03'] as const).map((byte): Address => `0x${byte.repeat(20)}`)
  if (!direct || !late || !former) throw new Error('no addresses')
  const counts = { solutions: 4, wins: 3, attempts: 3, successes: 3, failures: 0 }
  const times = { from: '2026-11-22T10:00:00Z', until: '2026-11-22T10:01:00Z' }
  const suspension = { ...times, reason: 'timeout' as const, failures: 3, attempts: [] }
  const known = [
    { name: 'late', address: late },
    { name: 'direct', address: direct },
  ]
  const active = [
    { ...counts, address: direct, lastSolutionAgeSeconds: 30, missedAuctions: 0 },
    { ...counts, address: former, solutions: 0, lastSolutionAgeSeconds: null, missedAuctions: null },
  ]
  const faults = new Map([[late, 'funds: the account holds 0 wei']])
  const suspensions = [{ address: direct, ...suspension }]
  const solvers = toSolverStatuses(known, { solvers: active, solvedAuctions: 12, hours: [] }, faults, {
    suspensions,
    debts: { [late]: '12' },
  })
  expect(solvers).toEqual([
    {
      ...{ ...counts, fault: null, name: 'direct', address: direct },
      ...{ lastSolutionAgeSeconds: 30, missedAuctions: 0, debt: '0', suspension },
    },
    {
      ...counts,
      fault: null,
      name: null,
      address: former,
      solutions: 0,
      lastSolutionAgeSeconds: null,
      missedAuctions: 12,
      debt: '0',
      suspension: null,
    },
    {
      ...{
        name: 'late',
        fault: 'funds: the account holds 0 wei',
        address: late,
        lastSolutionAgeSeconds: null,
        missedAuctions: 12,
        debt: '12',
        suspension: null,
      },
      ...{ solutions: 0, wins: 0, attempts: 0, successes: 0, failures: 0 },
    },
  ])
})

test('caches the status for five seconds, the last day for fifteen, and no failure', async () => {
  const { request, counts, pass } = setUp()
  await request()
  pass(4_999)
  await request()
  expect(counts).toEqual({ current: 1, recent: 1, head: 1 })
  pass(1)
  await request()
  expect(counts).toEqual({ current: 2, recent: 1, head: 2 })
  pass(9_999)
  await request()
  expect(counts).toEqual({ current: 3, recent: 1, head: 3 })
  pass(1)
  await request()
  expect(counts).toEqual({ current: 3, recent: 2, head: 3 })
  const flaky = setUp()
  flaky.setAway(true)
  expect((await flaky.request()).status).toBe(503)
  flaky.setAway(false)
  expect((await flaky.request()).status).toBe(200)
})
