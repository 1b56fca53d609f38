import { sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSettlement, newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries, auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { solutions } from '../../tables/auctions/solutions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { solverSuspensions } from '../../tables/settlements/solverSuspensions.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { selectCurrentStatus } from './selectCurrentStatus.ts'
import { selectOldestUndelivered } from './selectOldestUndelivered.ts'
import { selectRecentStatus } from './selectRecentStatus.ts'
import { selectSuspensions } from './selectSuspensions.ts'

const { chainId } = networks.sepolia
const [alice, bob, carol]: [Address, Address, Address] = [
  `0x${'a1'.repeat(20)}`,
  `0x${'b0'.repeat(20)}`,
  `0x${'ca'.repeat(20)}`,
]
const hash: Hex = `0x${'ee'.repeat(32)}`

const { database, close } = await startTestDatabase()

beforeEach(() => emptyDatabase(database))
afterAll(close)

/** Seconds before the database's clock. */
const ago = (seconds: number) => sql<Date>`now() - make_interval(secs => ${seconds})` as unknown as Date
const [minute, hour] = [60, 3_600]
/** Expects an age of what got the age of some seconds after `since`, by `performance.now()`. */
const expectAge = (found: number | null | undefined, seconds: number, since: number): void => {
  expect(found).toBeGreaterThanOrEqual(seconds)
  expect(found).toBeLessThanOrEqual(seconds + (performance.now() - since) / 1_000 + 1)
}

const quote = (elapsedMs: number | null, secondsAgo = minute, of: number = chainId) =>
  newQuote({ chainId: of, elapsedMs, createdAt: ago(secondsAgo) })

test('an empty database has no figures but every hour', async () => {
  const none = { count: 0, p50Ms: null, p95Ms: null, p99Ms: null }
  expect(await selectCurrentStatus(database, chainId)).toEqual({
    quotes: none,
    submissions: none,
    timeToFill: none,
    auctions: { newestId: null, newestAgeSeconds: null, openOrders: 0, lastWinAgeSeconds: null, fillsLastHour: 0 },
    indexed: null,
    difference: null,
    oldestUndeliveredSeconds: null,
    pauses: [],
    suspensions: [],
    debts: {},
  })
  const { solvers, solvedAuctions, hours } = await selectRecentStatus(database, chainId)
  expect([solvers, solvedAuctions]).toEqual([[], 0])
  expect(hours).toHaveLength(24)
  const times = hours.map((entry) => Date.parse(entry.hour))
  expect(new Set(times.slice(1).map((time, i) => time - (times[i] ?? 0)))).toEqual(new Set([3_600_000]))
  expect(hours.at(-1)).toEqual({ ...hours.at(-1), quotes: 0, quoteP95Ms: null, submissions: 0, fills: 0 })
})

test('latencies are those of the last hour, of this network, and of rows with a latency', async () => {
  const elapsed = Array.from({ length: 100 }, (_, i) => 10 * (i + 1))
  await database
    .insert(quotes)
    .values([...elapsed.map((ms) => quote(ms)), ...[quote(null), quote(9_999, 2 * hour), quote(9_999, minute, 1)]])
  const order = (seed: number, admissionMs: number | null, secondsAgo = minute) => {
    const { fullAppData, ...row } = newOrder(seed)
    return { ...row, admissionMs, createdAt: ago(secondsAgo) }
  }
  await database.insert(orders).values([order(1, 40), order(2, 20), order(3, null), order(4, 999, 2 * hour)])
  expect(await selectCurrentStatus(database, chainId)).toMatchObject({
    quotes: { count: 100, p50Ms: 500, p95Ms: 950, p99Ms: 990 },
    submissions: { count: 2, p50Ms: 20, p95Ms: 40, p99Ms: 40 },
  })
  const { hours } = await selectRecentStatus(database, chainId)
  expect(hours.reduce((sum, entry) => sum + entry.quotes, 0)).toBe(101)
  expect(hours.reduce((sum, entry) => sum + entry.submissions, 0)).toBe(3)
  expect(hours.map(({ quoteP95Ms }) => quoteP95Ms)).toEqual(expect.arrayContaining([950, 9_999]))
})

test('reports auctions, fills and the newest indexed block', async () => {
  const since = performance.now()
  const sinceSeconds = Date.now() / 1_000
  await database.insert(currentAuctions).values({ chainId, id: 9, block: 101 })
  await database
    .insert(blocks)
    .values([100, 101, 102].map((number) => ({ chainId, number, hash, timestamp: ago((103 - number) * 12) })))
  const entry = (seed: number, leftAuctionId: number | null, of: number = chainId) => ({
    ...{ chainId: of, orderUid: orderUidOf(seed), enteredAuctionId: 7, leftAuctionId },
  })
  await database.insert(auctionEntries).values([entry(1, null), entry(2, null), entry(3, 9), entry(4, null, 1)])
  const attempt = (auctionId: number, secondsAgo: number) => ({
    ...{
      chainId,
      auctionId,
      solutionUid: 0,
      solver: alice,
      startBlock: 1,
      deadlineBlock: 9,
      startedAt: ago(secondsAgo),
    },
  })
  await database.insert(settlementAttempts).values([attempt(5, 500), attempt(8, 40)])
  const settlement = (blockNumber: number, secondsAgo: number) => ({
    ...newSettlement(blockNumber, { logIndex: 5, settledAt: ago(secondsAgo), solver: alice }),
    chainId,
  })
  const trade = (blockNumber: number, logIndex: number) => ({
    ...newTrade(blockNumber, { logIndex, settlementLogIndex: 5 }),
    chainId,
  })
  await database.insert(settlements).values([settlement(50, 2 * hour), settlement(100, minute)])
  await database.insert(trades).values([trade(50, 1), trade(100, 1), trade(100, 3)])

  const status = await selectCurrentStatus(database, chainId)
  expect(status.auctions).toMatchObject({ newestId: 9, openOrders: 2, fillsLastHour: 2 })
  expectAge(status.auctions.newestAgeSeconds, 24, since)
  expectAge(status.auctions.lastWinAgeSeconds, 40, since)
  expect(status.indexed?.block).toBe(102)
  expect(status.indexed?.timestamp).toBeGreaterThanOrEqual(sinceSeconds - 12 - 1)
  expect(status.indexed?.timestamp).toBeLessThanOrEqual(Date.now() / 1_000 - 12 + 1)
  const { hours } = await selectRecentStatus(database, chainId)
  expect(hours.reduce((sum, { fills }) => sum + fills, 0)).toBe(3)
})

test('the time to fill is that of first trades of market orders in the last hour, on this network', async () => {
  // a whole second, as `validFrom` and times of blocks are
  const start = Math.floor(Date.now() / 1_000)
  const before = (seconds: number) => new Date((start - seconds) * 1_000)
  const market = (seed: number, secondsAgo: number, changes: Partial<typeof orders.$inferInsert> = {}) => {
    const { fullAppData, ...row } = newOrder(seed)
    return { ...row, class: 'market' as const, createdAt: before(secondsAgo), ...changes }
  }
  await database.insert(orders).values([
    market(1, 112),
    market(2, 124, { partiallyFillable: true }),
    market(3, 500, { validFrom: start - 148 }),
    // its block has an earlier time than its creation
    market(4, 90),
    market(5, 9_999, { class: 'limit' }),
    market(6, 9_999, { signingScheme: 'presign', presigned: true }),
    market(7, 2 * hour + 9_999),
    market(8, 9_999, { chainId: 1 }),
  ])
  const [owner, tokens] = [alice, { sellToken: alice, buyToken: bob, sellAmount: 1n, buyAmount: 1n }] as const
  const trade = async (seed: number, blockNumber: number, secondsAgo: number, of: number = chainId) => {
    const common = { ...tokens, chainId: of, blockNumber, logIndex: 1 }
    const place = { transactionHash: hash, orderUid: orderUidOf(seed), settlementLogIndex: 5, feeAmount: 0n, owner }
    await database.insert(trades).values({ ...common, ...place })
    const value = { settledAt: before(secondsAgo), trader: alice, solver: bob, volume: 1n, surplus: 0n }
    await database.insert(tradeValues).values({ ...common, ...value })
  }
  for (const seed of [1, 2, 3, 4, 5, 6]) await trade(seed, 10 + seed, 100)
  await trade(2, 20, 10)
  await trade(7, 9, 2 * hour)
  await trade(8, 10, 100, 1)
  const { timeToFill } = await selectCurrentStatus(database, chainId)
  expect(timeToFill).toEqual({ count: 4, p50Ms: 12_000, p95Ms: 48_000, p99Ms: 48_000 })
})

test('reports what each solver proposed, won and settled within a day, and auctions since with solutions of others', async () => {
  const since = performance.now()
  const auction = (id: number, secondsAgo: number) => ({
    ...{ chainId, id, block: 1, deadlineBlock: 9, prices: {}, createdAt: ago(secondsAgo) },
  })
  await database.insert(auctions).values([auction(1, 25 * hour), auction(2, hour), auction(3, minute)])
  const solution = (auctionId: number, uid: number, solver: Address, isWinner: boolean) => ({
    ...{ chainId, auctionId, uid, solutionId: uid, solver, isWinner, filteredOut: false, score: 1n },
  })
  await database
    .insert(solutions)
    .values([
      solution(1, 0, alice, true),
      solution(2, 0, alice, true),
      solution(2, 1, bob, false),
      solution(3, 0, alice, true),
      solution(3, 1, alice, false),
    ])
  const attempt = (auctionId: number, outcome: string | null, secondsAgo: number) => ({
    ...{ chainId, auctionId, solutionUid: 0, solver: alice, startBlock: 1, deadlineBlock: 9, outcome },
    startedAt: ago(secondsAgo),
  })
  await database
    .insert(settlementAttempts)
    .values([
      attempt(1, 'timeout', 25 * hour),
      attempt(2, 'timeout', hour),
      attempt(3, null, minute),
      { ...attempt(3, null, minute), solutionUid: 1, solver: carol },
    ])
  const { solvers, solvedAuctions } = await selectRecentStatus(database, chainId)
  const last = { lastSolutionAgeSeconds: expect.any(Number) }
  expect(solvers).toEqual([
    { address: alice, solutions: 3, wins: 2, attempts: 2, successes: 0, failures: 1, missedAuctions: 0, ...last },
    {
      ...{ address: carol, solutions: 0, wins: 0, attempts: 1, successes: 0, failures: 0 },
      ...{ missedAuctions: null, lastSolutionAgeSeconds: null },
    },
    { address: bob, solutions: 1, wins: 0, attempts: 0, successes: 0, failures: 0, missedAuctions: 1, ...last },
  ])
  expect(solvedAuctions).toBe(2)
  expectAge(solvers[0]?.lastSolutionAgeSeconds, minute, since)
  expectAge(solvers[2]?.lastSolutionAgeSeconds, hour, since)
})

test('reports the oldest undelivered notification of this network', async () => {
  const find = async () => {
    for (;;) {
      const before = await selectOldestUndelivered(database, chainId)
      const { oldestUndeliveredSeconds } = await selectCurrentStatus(database, chainId)
      // a second may pass between two statements
      if ((await selectOldestUndelivered(database, chainId)) !== before) continue
      expect(oldestUndeliveredSeconds).toBe(before)
      return before
    }
  }
  expect(await find()).toBeNull()
  const since = performance.now()
  const notification = (key: string, secondsAgo: number, dispatchedRevision: number, of: number = chainId) => ({
    ...{ chainId: of, account: alice, orderUid: orderUidOf(1), type: 'order_expired' as const, key, eventId: 1 },
    ...{ facts: {} as never, createdAt: ago(secondsAgo), dispatchedRevision },
  })
  const rows = await database
    .insert(notifications)
    .values([notification('a', 900, 1), notification('b', 100, 0), notification('c', 5_000, 0, 1)])
    .returning({ id: notifications.id })
  expectAge(await find(), 100, since)
  const [subscription] = await database
    .insert(subscriptions)
    .values({
      account: alice,
      signerChainId: 0,
      channel: 'webhook',
      target: 'https://a.test',
      types: [],
      networks: [],
      unsubscribeToken: 'u',
    })
    .returning({ id: subscriptions.id })
  const delivery = (state: 'pending' | 'delivered', revision: number, secondsAgo: number) => ({
    ...{ notificationId: rows[0]?.id ?? 0, subscriptionId: subscription?.id ?? '', revision, isCorrection: false },
    ...{ state, createdAt: ago(secondsAgo) },
  })
  await database.insert(deliveries).values([delivery('delivered', 1, 900), delivery('pending', 2, 700)])
  expectAge(await find(), 700, since)
})

test('reports the newest suspension of a solver until its end with the attempts that caused it, and debts, half of each per day', async () => {
  const row = { chainId, solver: alice, reason: 'timeout', failures: 3, level: 1, from: ago(30) } as const
  const [ended, active] = [ago(1), ago(-30)]
  await database.insert(solverSuspensions).values([
    { ...row, auctionId: 1, until: ended },
    { ...row, auctionId: 2, until: active, reason: 'mismatch', failures: 1 },
    { ...row, auctionId: 1, solver: bob, until: ended },
    { ...row, auctionId: 1, solver: carol, until: active, chainId: networks.gnosis.chainId },
  ])
  const blame = (party: 'solver' | 'none', debt?: string) => ({
    party,
    orders: [],
    reason: 'why',
    ...(debt && { debt }),
  })
  const attempt = (auctionId: number, solutionUid: number, secondsAgo: number, end: object) => ({
    ...{ chainId, auctionId, solutionUid, solver: alice, startBlock: 1, deadlineBlock: 9, endedAt: ago(secondsAgo) },
    ...end,
  })
  await database.insert(settlementAttempts).values([
    // judged by the first suspension
    attempt(1, 0, 60, { outcome: 'mismatch', blame: blame('solver', '1000') }),
    attempt(2, 0, 60, { outcome: 'mismatch', blame: blame('solver', '2000') }),
    attempt(2, 1, 60, { outcome: 'timeout', blame: blame('solver') }),
    attempt(2, 2, 60, { outcome: 'timeout', blame: blame('none') }),
    attempt(2, 3, 60, { outcome: 'success' }),
    // later, and a debt of which a quarter is left
    attempt(3, 0, 10, { outcome: 'timeout', blame: blame('solver') }),
    attempt(4, 0, 2 * 24 * hour + minute, { outcome: 'mismatch', blame: blame('solver', '401'), solver: bob }),
  ])
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect((await selectCurrentStatus(database, chainId)).suspensions).toEqual([
    {
      ...{ address: alice, from: time, until: time, reason: 'mismatch', failures: 1 },
      attempts: [
        { auctionId: 2, outcome: 'mismatch', reason: 'why', debt: '2000' },
        { auctionId: 2, outcome: 'timeout', reason: 'why', debt: null },
      ],
    },
  ])
  expect((await selectCurrentStatus(database, chainId)).debts).toEqual({ [alice]: '3000', [bob]: '100' })
})

// beside the window of an hour the open orders and the suspensions of a day
measureRows(selectCurrentStatus, (database, h) => selectCurrentStatus(database, h.chainId), {
  reads: (h) => h.openOrders + h.rowsOfDays(1 / 24, 4),
})
// two hundred deliveries with their notifications, and fifty new notifications
measureRows(selectOldestUndelivered, (database, h) => selectOldestUndelivered(database, h.chainId), { reads: 450 })
measureRows(selectRecentStatus, (database, h) => selectRecentStatus(database, h.chainId), {
  reads: (h) => h.rowsOfDays(1, 8),
})
measureRows(selectSuspensions, (database, h) => selectSuspensions(database, h.chainId))
