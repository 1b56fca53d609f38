import { asc, eq, sql } from 'drizzle-orm'
import { Client } from 'pg'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { storedBlocks } from '#schema/queries/chain/blocks.ts'
import { noEvents } from '#schema/queries/chain/chainUpdate.ts'
import { updateChain } from '#schema/queries/chain/updateChain.ts'
import { type EventsCursor, type EventsLimits, selectArchivableEvents } from '#schema/queries/events/archivedEvents.ts'
import { deleteArchivedEvents } from '#schema/queries/events/deleteArchivedEvents.ts'
import { selectOrderProgress } from '#schema/queries/events/orderEvents.ts'
import { selectMissedOrderEvents } from '#schema/queries/events/selectMissedOrderEvents.ts'
import { orderPlacements } from '#schema/tables/chain/orderPlacements.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { orderQuotes } from '#schema/tables/quotes/orderQuotes.ts'
import { compressText, decompressText } from '#shared/archive/gzip.ts'
import { networks } from '#shared/networks.ts'
import { captureLog } from '#test/helpers/database/archive/captureLog.ts'
import { insertLifecycle, lifecycleHead } from '#test/helpers/database/archive/insertLifecycle.ts'
import { createMemoryBucket, type MemoryBucket } from '#test/helpers/database/archive/memoryBucket.ts'
import { requestDebugWorker } from '#test/helpers/database/archive/requestDebugWorker.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { waitForLog } from '#test/helpers/database/log/waitForLog.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import auctionsWorker from '../index.ts'
import { type EventArchiveDeps, moveEvents } from './moveEvents.ts'

const { chainId, finality } = networks.sepolia
const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
const daysAgo = (days: number) => new Date(today - days * dayMs + 1_000)
const traded = ['created', 'ready', 'filtered', 'ready', 'executing', 'traded'] as const

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

const buildDeps = (changes: Partial<EventArchiveDeps> = {}): EventArchiveDeps => ({
  now: () => today,
  chainId,
  archiveAfterDays: 10,
  bucket,
  selectLines: (...args) => selectArchivableEvents(store.database, chainId, ...args),
  deleteLines: (...args) => deleteArchivedEvents(store.database, chainId, ...args),
  ...changes,
})

/** Returns the lines that it logs. */
const move = (changes: Partial<EventArchiveDeps> = {}) => captureLog(() => moveEvents(buildDeps(changes)))

const place = (seed: number, changes: Partial<Parameters<typeof insertLifecycle>[2]> = {}) =>
  insertLifecycle(store.database, seed, {
    ...{ chainId, createdAt: daysAgo(20), labels: traded, ends: 'fulfilled' },
    ...changes,
  })

const plan = {
  version: '1.0',
  interactions: [{ target: `0x${'5e'.repeat(20)}`, value: '0', callData: `0x${'ab'.repeat(300)}` }],
  preInteractions: [],
  jitOrders: [],
}

/** Stores the quote with which an order was placed. */
const insertQuoteOf = async (orderUid: Hex, metadata: object = plan): Promise<void> => {
  const amounts = { sellAmount: 1_000n, buyAmount: 1_000n, gasAmount: 90_000n, gasPrice: 7n, feeAmount: 3n }
  const quote = { quoteId: 1, ...amounts, sellTokenPrice: 0.5, solver: `0x${'50'.repeat(20)}` as const, verified: true }
  await store.database.insert(orderQuotes).values({ chainId, orderUid, ...quote, metadata })
}

const listPlans = async (): Promise<unknown[]> =>
  (await store.database.select({ metadata: orderQuotes.metadata }).from(orderQuotes).orderBy(orderQuotes.orderUid)).map(
    ({ metadata }) => metadata,
  )

/** Labels of the stored events of an order; those of an order with archived ones have a star. */
const listStored = async (uid: Hex): Promise<string[]> =>
  (
    await store.database.select().from(orderEvents).where(eq(orderEvents.orderUid, uid)).orderBy(asc(orderEvents.id))
  ).map(({ label, archivePart }) => (archivePart ? `${label}*` : label))

const ask = (uid: Hex, env: { ARCHIVE?: MemoryBucket } = { ARCHIVE: bucket }) =>
  requestDebugWorker(store.databaseUrl, `/api/v1/debug/order/${uid}`, env)

const outage = {
  status: 503,
  body: { errorType: 'ServiceUnavailable', data: { dependency: 'archive', retryable: true } },
}

describe('the round trip', () => {
  test('the watchdog moves events of ended orders, and report and status are the same as before', async () => {
    const uids = [
      await place(1),
      await place(2, { labels: ['created', 'ready', 'cancelled', 'executing', 'traded'], ends: 'cancelled' }),
      await place(3, {
        labels: ['created', 'ready', 'executing', 'filtered', 'cancelled', 'expired'],
        ends: 'cancelled',
      }),
      await place(4, { labels: ['created', 'cancelled'], ends: 'cancelled' }),
      await place(5, { labels: ['created'], ends: 'cancelled' }),
    ]
    for (const uid of uids.slice(0, 3)) await insertQuoteOf(uid)
    const readAll = () =>
      Promise.all(uids.flatMap((uid) => [ask(uid), selectOrderProgress(store.database, chainId, uid)]))
    const before = await readAll()
    const events = traded.map((label) => ({ label }))
    expect(before[0]).toMatchObject({ status: 200, body: { events, order: { quote: { metadata: plan } } } })

    const CLOCK = { getByName: () => ({ arm: async () => undefined }) }
    const env = {
      ...{ NETWORK: 'sepolia', DATABASE_URL: store.databaseUrl, RPC_URL: 'http://127.0.0.1:9', SOLVERS: '[]' },
      ...{ CLOCK, SOLVER_CONNECTIONS: {}, ARCHIVE: bucket, ARCHIVE_AFTER_DAYS: '10' },
    }
    const run = () => captureLog(async () => void (await auctionsWorker.scheduled({}, env)))
    expect(await run()).toEqual(['{"message":"events archived","orders":5}'])
    expect(bucket.objects.size).toBe(1)
    expect(await Promise.all(uids.map(listStored))).toEqual([
      ['traded*'],
      ['cancelled*', 'traded*'],
      ['cancelled*', 'expired*'],
      ['cancelled*'],
      ['created*'],
    ])
    expect(await listPlans()).toEqual([{}, {}, {}])
    expect(await readAll()).toEqual(before)
    expect(await run()).toEqual([])
    expect(bucket.objects.size).toBe(1)
  })

  test('the plan of a quote stays with the events of a waiting order, and a later quote has its own', async () => {
    const [moved, waiting] = [await place(1), await place(2, { createdAt: daysAgo(1) })]
    for (const uid of [moved, waiting]) await insertQuoteOf(uid)
    await move()
    expect(await listPlans()).toEqual([{}, plan])
    const later = { ...plan, version: '1.1' }
    await store.database.update(orderQuotes).set({ metadata: later }).where(eq(orderQuotes.orderUid, moved))
    expect(await ask(moved)).toMatchObject({ body: { order: { quote: { metadata: later } } } })
  })

  test('an object from before plans moved has events without one', async () => {
    const uid = await place(1)
    await insertQuoteOf(uid, {})
    await move()
    for (const [key, bytes] of bucket.objects) {
      const text = await decompressText(bytes)
      expect(text).toContain('"plan": {}')
      bucket.objects.set(key, await compressText(text.replace('"plan": {}, ', '')))
    }
    const { status, body } = await ask(uid)
    expect([status, body.events]).toMatchObject([200, traded.map((label) => ({ label }))])
    expect(body).toMatchObject({ order: { quote: { metadata: {} } } })
  })

  test('an event that is written later follows the archived ones', async () => {
    const uid = await place(1, { labels: ['created', 'ready', 'cancelled'], ends: 'cancelled' })
    await move()
    await store.database
      .insert(orderEvents)
      .values({ chainId, orderUid: uid, key: 'traded:2000:1', label: 'traded', blockNumber: 2_000 })
    const labels = [{ label: 'created' }, { label: 'ready' }, { label: 'cancelled' }, { label: 'traded' }]
    expect(await ask(uid)).toMatchObject({ status: 200, body: { events: labels } })
    await move()
    expect(await listStored(uid)).toEqual(['cancelled*', 'traded'])
  })

  test('events of one millisecond retain their order', async () => {
    const uids = [await place(1), await place(2)]
    // ids and times contradict each other, as those of concurrent transactions do
    await store.database.execute(sql`update order_events
      set created_at = date_trunc('day', created_at) + (1000 - id % 1000) * interval '1 microsecond'`)
    const before = await Promise.all(uids.map((uid) => ask(uid)))
    expect(before[0]?.body.events).toMatchObject(traded.map((label) => ({ label })).reverse())
    await move()
    for (const uid of uids) expect(await listStored(uid)).toEqual(['traded*'])
    expect(await Promise.all(uids.map((uid) => ask(uid)))).toEqual(before)
  })

  test('an outage of the archive responds with 503, and an order with stored events does not need it', async () => {
    const [uid, other] = [await place(1), await place(2, { createdAt: daysAgo(1) })]
    await move()
    expect(await ask(uid, {})).toMatchObject(outage)
    bucket.fault = (call) => (call === 'get' ? new Error('unreachable') : undefined)
    expect(await ask(uid)).toMatchObject(outage)
    expect(await ask(other)).toMatchObject({ status: 200, body: { events: traded.map((label) => ({ label })) } })
    bucket.fault = () => undefined
    for (const key of bucket.objects.keys()) bucket.objects.set(key, new ArrayBuffer(8))
    expect(await ask(uid)).toMatchObject(outage)
    bucket.objects.clear()
    expect(await ask(uid)).toMatchObject(outage)
  })
})

describe('moveEvents', () => {
  test('moves events of orders that have ended, when the newest is old and final', async () => {
    const notFinal = lifecycleHead - finality.finalBlocks
    const labels = ['created', 'ready'] as const
    const moved = [
      await place(1),
      await place(2, { labels, ends: 'expired' }),
      await place(3, { blockNumber: notFinal - 1 }),
      await place(4, { createdAt: new Date(today - 10 * dayMs - 5_000) }),
    ]
    const stays = [
      await place(5, { labels, ends: undefined }),
      await place(6, { blockNumber: notFinal }),
      await place(7, { createdAt: new Date(today - 10 * dayMs - 3_000) }),
      await place(8, { chainId: networks.mainnet.chainId }),
      await place(9, { labels: ['created', ...Array<'ready'>(1_000).fill('ready')] }),
    ]
    await move()
    const areArchived = async (uids: Hex[]) =>
      (await Promise.all(uids.map(listStored))).map((labels) => labels.some((label) => label.endsWith('*')))
    expect(await areArchived(moved)).toEqual(moved.map(() => true))
    expect(await areArchived(stays)).toEqual(stays.map(() => false))
    expect([...bucket.objects.keys()]).toEqual([expect.stringMatching(/^events\/11155111\/[0-9a-f]{16}\.jsonl\.gz$/)])
  })

  test('moves no event of an order that is open by the database, at any time of the Worker’s clock', async () => {
    const labels = ['created', 'ready'] as const
    const [open, ended] = [await place(1, { labels, ends: undefined }), await place(2)]
    // the clock is beyond the last second of the order
    await move({ now: () => newOrder(1).validTo * 1_000 + 20 * dayMs })
    expect(await listStored(open)).toEqual(labels)
    expect(await listStored(ended)).toEqual(['traded*'])
  })

  test('an archived order that is created again does not move again', async () => {
    const uid = await place(1)
    await move()
    await store.database
      .insert(orderEvents)
      .values({ chainId, orderUid: uid, key: 'created:2', label: 'created', createdAt: daysAgo(15) })
    expect(await move()).toEqual([])
    expect(await listStored(uid)).toEqual(['traded*', 'created'])
    const { body } = await ask(uid)
    expect(body.events).toMatchObject([...traded, 'created'].map((label) => ({ label })))
  })

  test('moves no event of a block that the indexer reads again, although it is final', async () => {
    const { gnosis } = networks
    const place = (seed: number, blockNumber: number) =>
      insertLifecycle(store.database, seed, {
        ...{ chainId: gnosis.chainId, createdAt: daysAgo(20), labels: traded, ends: 'fulfilled', blockNumber },
      })
    const newest = lifecycleHead - storedBlocks
    expect(gnosis.finality.finalBlocks).toBeLessThan(storedBlocks)
    const uids = [await place(1, newest - 1), await place(2, newest)]
    await move({
      chainId: gnosis.chainId,
      selectLines: (...args) => selectArchivableEvents(store.database, gnosis.chainId, ...args),
      deleteLines: (...args) => deleteArchivedEvents(store.database, gnosis.chainId, ...args),
    })
    expect(await Promise.all(uids.map(listStored))).toEqual([['traded*'], traded])
  })

  test('moves an order that was created twice once', async () => {
    const uid = await place(1, { labels: ['created', 'created', 'traded'] })
    expect(await move()).toEqual(['{"message":"events archived","orders":1}'])
    expect(await listStored(uid)).toEqual(['traded*'])
    expect(await move()).toEqual([])
  })

  test('moves orders behind many that must wait, in bounded steps', async () => {
    for (let seed = 1; seed <= 7; seed++) await place(seed, { ends: undefined })
    const uids = [await place(8), await place(9), await place(10)]
    const steps: number[] = []
    const limited = (limits: EventsLimits): Partial<EventArchiveDeps> => ({
      selectLines: async (createdBefore, after) => {
        const step = await selectArchivableEvents(store.database, chainId, createdBefore, after, limits)
        steps.push(step.lines.length)
        return step
      },
    })
    await move({ ...limited({ scanned: 3, orders: 3, bytes: 1e9 }), now: () => today - 20 * dayMs })
    expect(steps.splice(0)).toEqual([0])
    await move(limited({ scanned: 3, orders: 3, bytes: 1 }))
    expect(steps).toEqual([0, 0, 1, 1, 1, 0])
    for (const uid of uids) expect(await listStored(uid)).toEqual(['traded*'])
    expect(bucket.objects.size).toBe(3)
  })

  test('one statement passes over many that must wait, and a run has a bounded number of them', async () => {
    for (let seed = 1; seed <= 7; seed++) await place(seed, { ends: undefined })
    for (const seed of [8, 9, 10]) await place(seed)
    const select = (after: EventsCursor | null) =>
      selectArchivableEvents(store.database, chainId, daysAgo(10), after, { scanned: 100, orders: 2, bytes: 1e9 })
    const first = await select(null)
    const second = await select(first.next)
    expect([first.lines.length, second.lines.length]).toEqual([2, 1])
    expect(await select(second.next)).toEqual({ lines: [], next: null })

    let steps = 0
    const selectLines: EventArchiveDeps['selectLines'] = async () => {
      steps++
      return { lines: [], next: { createdAt: daysAgo(20).toISOString(), id: steps } }
    }
    await move({ selectLines })
    expect(steps).toBe(100)
  })
})

describe('an interruption', () => {
  const failure = new Error('interrupted')
  const failAfter =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await work(...args)
      throw failure
    }
  const steps: Record<string, { changes: () => Partial<EventArchiveDeps>; isMoved?: true }> = {
    'before the write': { changes: () => ({ bucket: { ...bucket, put: () => Promise.reject(failure) } }) },
    'after the write': { changes: () => ({ bucket: { ...bucket, put: failAfter(bucket.put) } }) },
    'during the check': { changes: () => ({ bucket: { ...bucket, get: () => Promise.reject(failure) } }) },
    'before the deletion': { changes: () => ({ deleteLines: () => Promise.reject(failure) }) },
    'after the deletion': { changes: () => ({ deleteLines: failAfter(buildDeps().deleteLines) }), isMoved: true },
  }

  test.each(Object.entries(steps))('%s loses nothing and duplicates nothing', async (_, { changes, isMoved }) => {
    const uids = [await place(1), await place(2)]
    const before = await Promise.all(uids.map((uid) => ask(uid)))
    expect(await move(changes())).toEqual([expect.stringContaining('interrupted')])
    for (const uid of uids) expect(await listStored(uid)).toEqual(isMoved ? ['traded*'] : traded)
    await move()
    for (const uid of uids) expect(await listStored(uid)).toEqual(['traded*'])
    expect(bucket.objects.size).toBe(1)
    expect(await Promise.all(uids.map((uid) => ask(uid)))).toEqual(before)
  })

  test('nothing is deleted when the bucket returns another content than was written', async () => {
    const uid = await place(1)
    const get: MemoryBucket['get'] = async () => ({ arrayBuffer: async () => new ArrayBuffer(3) })
    await move({ bucket: { ...bucket, get } })
    await move({ bucket: { ...bucket, get: async () => null } })
    expect(await listStored(uid)).toEqual(traded)
  })

  test('an order with an event since it was read stays in the database', async () => {
    const uids = [await place(1), await place(2)] as const
    const logged = await move({
      selectLines: async (...args) => {
        const step = await buildDeps().selectLines(...args)
        if (step.lines.length > 0)
          await store.database.insert(orderEvents).values({ chainId, orderUid: uids[1], key: 'late', label: 'undone' })
        return step
      },
    })
    expect(logged).toEqual([expect.stringContaining('1 orders stay'), '{"message":"events archived","orders":1}'])
    expect(await Promise.all(uids.map(listStored))).toEqual([['traded*'], [...traded, 'undone']])
  })

  // two connections
  test.skipIf(!process.env.TEST_DATABASE_URL)('a block that is undone at the same time loses no event', async () => {
    const uid = await place(1)
    const before = await ask(uid)
    const other = new Client({ connectionString: store.serverUrl })
    await other.connect()
    try {
      await other.query('begin')
      await other.query("delete from order_events where label = 'traded'")
      const moving = move()
      const isBlocked = sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
      await vi.waitUntil(async () => (await store.database.execute(isBlocked)).rows.length > 0, 10_000)
      await other.query('commit')
      expect(await moving).toEqual([expect.stringContaining('1 orders stay')])
    } finally {
      await other.end()
    }
    expect(await listStored(uid)).toEqual(traded.slice(0, -1))
    expect((await ask(uid)).body.events).toEqual((before.body.events as object[]).slice(0, -1))
  })

  test('two runs at once lose nothing', async () => {
    const uids = await Promise.all([1, 2, 3].map((seed) => place(seed)))
    const before = await Promise.all(uids.map((uid) => ask(uid)))
    const { lines } = await buildDeps().selectLines(daysAgo(10), null, { scanned: 9, orders: 2, bytes: 1e9 })
    const steps = [{ lines, next: { createdAt: daysAgo(20).toISOString(), id: 0 } }]
    const overtaken = move({ selectLines: async () => steps.shift() ?? { lines: [], next: null } })
    await Promise.all([overtaken, move()])
    for (const uid of uids) expect(await listStored(uid)).toEqual(['traded*'])
    expect(await Promise.all(uids.map((uid) => ask(uid)))).toEqual(before)
  })
})

describe('readers of the log', () => {
  const limits = { events: 100, scanned: 1_000 }
  const read = (topic: Parameters<typeof selectMissedOrderEvents>[2], after?: { writtenBy: bigint; id: number }) =>
    selectMissedOrderEvents(store.database, chainId, topic, after, limits)

  test('a replay that lacks archived events says so', async () => {
    const uid = await place(1)
    const { owner } = newOrder(1)
    await waitForLog(store.database)
    const whole = await read({ orderUid: uid })
    expect(whole).toMatchObject({ isComplete: true, events: { length: traded.length } })
    await move()
    const [first, beforeLast, last] = [whole.events[0], whole.events.at(-2), whole.events.at(-1)]
    for (const after of [undefined, first?.position, beforeLast?.position])
      expect(await read({ orderUid: uid }, after)).toMatchObject({
        isComplete: false,
        events: [{ event: { label: 'traded' } }],
      })
    expect(await read({ account: owner }, first?.position)).toMatchObject({ isComplete: false })
    for (const topic of [{ orderUid: uid }, { account: owner }])
      expect(await read(topic, last?.position)).toMatchObject({ isComplete: true, events: [] })
  })

  /** Indexes block 10 again. */
  const reindex = async (undoFrom: number | null) => {
    const header = { number: 10, hash: `0x${'c0'.repeat(32)}` as const, timestamp: new Date() }
    await updateChain(store.database, chainId, { ...noEvents, fromBlock: 10, toBlock: 10, blocks: [header], undoFrom })
  }

  test('an undone block leaves a trace of the archived events', async () => {
    const uid = await place(1, { blockNumber: 10 })
    await move()
    const whole = await place(2, { blockNumber: 10 })
    await reindex(10)
    expect(await listStored(uid)).toEqual(['undone*'])
    expect(await listStored(whole)).toEqual([...traded.slice(0, -1), 'undone'])
    for (const each of [uid, whole]) {
      const { body } = await ask(each)
      expect(body.events).toMatchObject([...traded.slice(0, -1), 'undone'].map((label) => ({ label })))
    }
  })

  test('another placement of an archived order logs no creation', async () => {
    const uid = await place(1)
    const account = newOrder(1).owner
    await store.database.update(orders).set({ onchainUser: account })
    await store.database.insert(orderPlacements).values({
      ...{ chainId, blockNumber: 10, logIndex: 1, orderUid: uid, contract: account, sender: account },
      placedAt: daysAgo(1),
    })
    await move()
    await reindex(null)
    expect(await listStored(uid)).toEqual(['traded*'])
  })
})
