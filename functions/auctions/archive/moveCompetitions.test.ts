import { count, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { selectArchivableCompetitions } from '#schema/queries/auctions/archivedCompetitions.ts'
import { deleteArchivedCompetitions } from '#schema/queries/auctions/deleteArchivedCompetitions.ts'
import { selectOrderProgress } from '#schema/queries/events/orderEvents.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { feePolicies } from '#schema/tables/auctions/feePolicies.ts'
import { solutionOrders, solutions } from '#schema/tables/auctions/solutions.ts'
import { blocks } from '#schema/tables/chain/blocks.ts'
import { tokens } from '#schema/tables/markets/tokens.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { settlementAttempts } from '#schema/tables/settlements/settlementAttempts.ts'
import { networks } from '#shared/networks.ts'
import { captureLog } from '#test/helpers/database/archive/captureLog.ts'
import {
  competitionTokens,
  competitionUidOf,
  insertCompetitions,
  transactionOf,
} from '#test/helpers/database/archive/insertCompetitions.ts'
import { createMemoryBucket, type MemoryBucket } from '#test/helpers/database/archive/memoryBucket.ts'
import { requestDebugWorker } from '#test/helpers/database/archive/requestDebugWorker.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import auctionsWorker from '../index.ts'
import { type ArchiveDeps, moveCompetitions } from './moveCompetitions.ts'

const { chainId } = networks.sepolia
const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const daysAgo = (days: number) => new Date(today - days * dayMs + 1_000)

let store: TestDatabase
let bucket: MemoryBucket

beforeAll(async () => {
  store = await startTestDatabase()
})
afterAll(() => store?.close())
beforeEach(async () => {
  await emptyDatabase(store.database)
  bucket = createMemoryBucket()
})

const buildDeps = (changes: Partial<ArchiveDeps> = {}): ArchiveDeps => ({
  now: () => today,
  chainId,
  archiveAfterDays: 10,
  bucket,
  selectLines: (createdBefore, limits) => selectArchivableCompetitions(store.database, chainId, createdBefore, limits),
  deleteLines: (key, lines) => deleteArchivedCompetitions(store.database, chainId, key, lines),
  ...changes,
})

/** Returns the lines that it logs. */
const move = (changes: Partial<ArchiveDeps> = {}): Promise<string[]> =>
  captureLog(() => moveCompetitions(buildDeps(changes)))

const listUnmoved = async (): Promise<number[]> =>
  (
    await store.database
      .select({ id: auctions.id })
      .from(auctions)
      .where(isNull(auctions.archiveKey))
      .orderBy(auctions.id)
  ).map(({ id }) => id)

const ask = (path: string, env: { ARCHIVE?: MemoryBucket } = { ARCHIVE: bucket }) =>
  requestDebugWorker(store.databaseUrl, path, env)

describe('the round trip', () => {
  const paths = [
    '/api/v2/solver_competition/2',
    '/api/v1/solver_competition/2',
    '/restricted/api/v2/solver_competition/2',
    `/api/v2/solver_competition/by_tx_hash/${transactionOf(3)}`,
    '/api/v2/solver_competition/latest',
    `/api/v1/debug/order/${competitionUidOf('winner', 2)}`,
    `/api/v1/debug/order/${competitionUidOf('loser', 2)}`,
    '/api/v1/explorer/auctions',
  ]
  const readAll = () => Promise.all(paths.map((path) => ask(path)))

  beforeEach(async () => {
    await insertCompetitions(store.database, chainId, [1, 3], daysAgo(20))
    const [sellToken, buyToken, other] = competitionTokens as [`0x${string}`, `0x${string}`, `0x${string}`]
    await store.database
      .insert(tokens)
      .values(competitionTokens.map((address) => ({ chainId, address, decimals: 18, symbol: 'T' })))
    for (const [kind, bought] of [
      ['winner', buyToken],
      ['loser', other],
    ] as const) {
      // cancelled, so that no verdict of the moment is part of the report
      const cancelledAt = daysAgo(19)
      await insertOrder(store.database, newOrder(2, { uid: competitionUidOf(kind, 2), sellToken, buyToken: bought }))
      await store.database.execute(sql`update orders set cancelled_at = ${cancelledAt.toISOString()}::timestamptz`)
    }
  })

  test('the watchdog moves old competitions, and the API returns the same as before', async () => {
    const before = await readAll()
    expect(before.map(({ status }) => status)).toEqual(paths.map(() => 200))
    expect(before[0]?.body.solutions).toHaveLength(3)

    const armed: string[] = []
    const CLOCK = { getByName: (name: string) => ({ arm: async () => armed.push(name) }) }
    const env = {
      ...{ NETWORK: 'sepolia', DATABASE_URL: store.databaseUrl, RPC_URL: 'http://127.0.0.1:9', SOLVERS: '[]' },
      ...{ CLOCK, SOLVER_CONNECTIONS: {}, ARCHIVE: bucket, ARCHIVE_AFTER_DAYS: '10' },
    }
    const logged = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    await auctionsWorker.scheduled({}, env)
    expect(logged.mock.calls).toEqual([['{"message":"competitions archived","archived":3}']])
    logged.mockRestore()

    expect(await listUnmoved()).toEqual([])
    expect(bucket.objects.size).toBe(1)
    const { database } = store
    const kept = await database.select().from(auctions).where(eq(auctions.id, 2))
    const [sold, bought] = competitionTokens
    expect(kept).toMatchObject([{ leftOut: [], solutionCount: 3, orderCount: 7 }])
    expect(kept[0]?.prices).toEqual({ [sold ?? '']: '1000', [bought ?? '']: '2000' })
    expect(await database.select().from(solutions).where(eq(solutions.auctionId, 2))).toMatchObject([{ uid: 0 }])
    const rows = await database.select().from(solutionOrders).where(eq(solutionOrders.auctionId, 2))
    expect(rows.map(({ solutionUid, orderUid }) => [solutionUid, orderUid])).toEqual([
      [0, competitionUidOf('winner', 2)],
    ])
    expect(kept[0]?.losingOrders).toHaveLength(1)
    expect(await database.select().from(feePolicies).where(eq(feePolicies.auctionId, 2))).toMatchObject([
      { orderUid: competitionUidOf('winner', 2) },
    ])
    expect(await readAll()).toEqual(before)
  })

  test('the status of an order that lost names the winners of the auction of its newest event', async () => {
    const orderUid = competitionUidOf('loser', 2)
    const select = () => selectOrderProgress(store.database, chainId, orderUid)
    await store.database
      .insert(orderEvents)
      .values({ chainId, orderUid, key: 'considered:2', label: 'considered', auctionId: 2 })
    expect(await select()).toMatchObject({
      newestEvent: 'considered',
      solutions: [{}, {}, { solver: `0x${'51'.repeat(20)}` }],
    })
    await move()
    expect((await select())?.solutions).toEqual([{ solver: `0x${'51'.repeat(20)}`, executed: null }])
  })

  test('an outage of the archive responds with 503, and an unknown auction still with 404', async () => {
    await move()
    const outage = { errorType: 'ServiceUnavailable', data: { dependency: 'archive', retryable: true } }
    const [competition = '', , , , , report = '', reportOfLoser = '', list = ''] = paths
    const expectOutage = async (env?: { ARCHIVE?: MemoryBucket }) => {
      for (const path of [competition, report, reportOfLoser])
        expect(await ask(path, env)).toMatchObject({ status: 503, cache: 'no-store', body: outage })
    }
    await expectOutage({})
    bucket.fault = (call) => (call === 'get' ? new Error('unreachable') : undefined)
    await expectOutage()
    expect(await ask('/api/v2/solver_competition/4')).toMatchObject({ status: 404 })
    expect(await ask(list)).toMatchObject({ status: 200 })
    bucket.fault = () => undefined
    for (const key of bucket.objects.keys()) bucket.objects.set(key, new ArrayBuffer(8))
    await expectOutage()
    bucket.objects.clear()
    await expectOutage()
  })
})

describe('moveCompetitions', () => {
  test('moves competitions of closed days that are old enough, a day per object', async () => {
    await insertCompetitions(store.database, chainId, [1, 2], new Date(today - 11 * dayMs - 1))
    await insertCompetitions(store.database, chainId, [3, 3], new Date(today - 11 * dayMs))
    await insertCompetitions(store.database, chainId, [4, 4], new Date(today - 10 * dayMs - 1))
    await insertCompetitions(store.database, chainId, [5, 5], new Date(today - 10 * dayMs))
    await insertCompetitions(store.database, 1, [6, 6], daysAgo(20))
    await move({ now: () => today + dayMs - 1 })
    expect(await listUnmoved()).toEqual([5, 6])
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    expect([...bucket.objects.keys()].map((key) => key.replace(/-[0-9a-f]{16}\.jsonl\.gz$/, ''))).toEqual([
      `competitions/${chainId}/${day(today - 12 * dayMs)}/1-2`,
      `competitions/${chainId}/${day(today - 11 * dayMs)}/3-4`,
    ])
  })

  test('moves no competition that a solver or a reorganisation can still change', async () => {
    const { database } = store
    const notFinal = 1_000 - networks.sepolia.finality.finalBlocks
    await insertCompetitions(database, chainId, [1, 5], daysAgo(20))
    await database.update(settlementAttempts).set({ outcome: null }).where(eq(settlementAttempts.auctionId, 1))
    await database.update(auctions).set({ deadlineBlock: notFinal }).where(eq(auctions.id, 2))
    await database.update(settlementAttempts).set({ endBlock: notFinal }).where(eq(settlementAttempts.auctionId, 3))
    await database.delete(settlementAttempts).where(eq(settlementAttempts.auctionId, 4))
    await move()
    expect(await listUnmoved()).toEqual([1, 2, 3, 4])
    await database.update(blocks).set({ number: 1_001 })
    await move()
    expect(await listUnmoved()).toEqual([1, 4])
  })

  /** Few more than two runs move; `LONG=1`: a day of the busiest network. */
  const ofDay = process.env.LONG ? 10_000 : 1_500

  test('moves an old day in bounded runs', { timeout: 120_000 }, async () => {
    await insertCompetitions(store.database, chainId, [1, ofDay], daysAgo(20))
    // as autovacuum does; without statistics every part reads all of them
    await store.database.execute('analyze')
    const left = async () => (await listUnmoved()).length
    let parts = 0
    const deleteLines: ArchiveDeps['deleteLines'] = async (key, lines) => {
      parts += 1
      expect(lines.length).toBeLessThanOrEqual(64)
      return deleteArchivedCompetitions(store.database, chainId, key, lines)
    }
    await move({ deleteLines })
    expect([parts, await left()]).toEqual([20, ofDay - 20 * 64])
    let now = today
    await move({ deleteLines, now: () => (now += 20_000) })
    expect([parts, await left()]).toEqual([21, ofDay - 21 * 64])
    expect(bucket.objects.size).toBe(21)
    const oldest = Math.min(...(await listUnmoved()))
    expect(oldest).toBe(21 * 64 + 1)
    const read = await ask(`/api/v2/solver_competition/${oldest - 1}`)
    expect(read).toMatchObject({ status: 200, body: { auctionId: oldest - 1 } })
  })

  test('an object ends at its bound of bytes, and has one auction at least', async () => {
    await insertCompetitions(store.database, chainId, [1, 5], daysAgo(20))
    const select = async (bytes: number) =>
      (await selectArchivableCompetitions(store.database, chainId, daysAgo(10), { auctions: 4, bytes })).map(
        ({ id, line }) => [id, line.length] as const,
      )
    const all = await select(1e9)
    expect(all.map(([id]) => id)).toEqual([1, 2, 3, 4])
    const [[, first], [, second]] = all as [readonly [number, number], readonly [number, number]]
    expect((await select(first + second)).map(([id]) => id)).toEqual([1, 2])
    expect((await select(first + second - 1)).map(([id]) => id)).toEqual([1])
    expect((await select(1)).map(([id]) => id)).toEqual([1])
  })
})

describe('an interruption', () => {
  const count3 = { solutions: 9, solutionOrders: 12, feePolicies: 6 }
  const countRows = async () => {
    const [a, b, c] = await Promise.all(
      [solutions, solutionOrders, feePolicies].map((table) => store.database.select({ rows: count() }).from(table)),
    )
    return { solutions: a?.[0]?.rows, solutionOrders: b?.[0]?.rows, feePolicies: c?.[0]?.rows }
  }
  const failure = new Error('interrupted')
  const failAfter =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await work(...args)
      throw failure
    }

  beforeEach(() => insertCompetitions(store.database, chainId, [1, 3], daysAgo(20)))

  const steps: Record<string, { changes: () => Partial<ArchiveDeps>; isMoved?: true }> = {
    'before the write': { changes: () => ({ bucket: { ...bucket, put: () => Promise.reject(failure) } }) },
    'after the write': { changes: () => ({ bucket: { ...bucket, put: failAfter(bucket.put) } }) },
    'during the check': { changes: () => ({ bucket: { ...bucket, get: () => Promise.reject(failure) } }) },
    'before the deletion': { changes: () => ({ deleteLines: () => Promise.reject(failure) }) },
    'after the deletion': { changes: () => ({ deleteLines: failAfter(buildDeps().deleteLines) }), isMoved: true },
  }

  test.each(Object.entries(steps))('%s loses nothing and duplicates nothing', async (_, { changes, isMoved }) => {
    expect(await move(changes())).toEqual([expect.stringContaining('interrupted')])
    expect(await listUnmoved()).toEqual(isMoved ? [] : [1, 2, 3])
    if (!isMoved) expect(await countRows()).toEqual(count3)
    await move()
    expect(await listUnmoved()).toEqual([])
    expect(bucket.objects.size).toBe(1)
    expect(await countRows()).toEqual({ solutions: 3, solutionOrders: 3, feePolicies: 3 })
    for (const id of [1, 2, 3]) {
      const { body } = await ask(`/api/v2/solver_competition/${id}`)
      expect(body.solutions).toHaveLength(3)
    }
  })

  test('nothing is deleted when the bucket returns another content than was written', async () => {
    const get: MemoryBucket['get'] = async () => ({ arrayBuffer: async () => new ArrayBuffer(3) })
    await move({ bucket: { ...bucket, get } })
    await move({ bucket: { ...bucket, get: async () => null } })
    expect(await listUnmoved()).toEqual([1, 2, 3])
    expect(await countRows()).toEqual(count3)
  })

  test('a competition that changed after it was read stays in the database', async () => {
    const { selectLines } = buildDeps()
    const logged = await move({
      selectLines: async (...args) => {
        const lines = await selectLines(...args)
        await store.database.update(solutions).set({ score: 77n }).where(eq(solutions.auctionId, 2))
        return lines
      },
    })
    expect(logged).toEqual([expect.stringContaining('1 competitions of'), expect.stringContaining('"archived":2')])
    expect(await listUnmoved()).toEqual([2])
    await move()
    const { body } = await ask('/api/v2/solver_competition/2')
    expect(body.solutions).toMatchObject([{ score: '77' }, { score: '77' }, { score: '77' }])
  })

  test('two runs at once move each competition once', async () => {
    const { selectLines } = buildDeps()
    const lines = await selectLines(daysAgo(10), { auctions: 2, bytes: 1e9 })
    const overtaken = move({ selectLines: async () => lines.splice(0) })
    await Promise.all([overtaken, move()])
    expect(await listUnmoved()).toEqual([])
    for (const id of [1, 2, 3]) expect((await ask(`/api/v2/solver_competition/${id}`)).body.solutions).toHaveLength(3)
  })
})
