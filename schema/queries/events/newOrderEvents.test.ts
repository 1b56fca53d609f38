import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import { Client } from 'pg'
import { type Address, concat, type Hex, pad, toHex } from 'viem'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { publicContracts } from '#shared/strategies/publicContracts.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { waitForLog } from '#test/helpers/database/log/waitForLog.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { conditionalParts } from '../../tables/orders/conditionalParts.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { type ChainUpdate, noEvents } from '../chain/chainUpdate.ts'
import { updateChain } from '../chain/updateChain.ts'
import { insertOrder } from '../orders/orders.ts'
import type { LogPosition } from './logPage.ts'
import type { LogTopic, SearchedTopic } from './logTopic.ts'
import { selectIsOrder, selectLogHorizon, selectNewOrderEvents } from './newOrderEvents.ts'
import { selectMissedOrderEvents } from './selectMissedOrderEvents.ts'
import { selectTopicSnapshot } from './selectTopicSnapshot.ts'

const { chainId } = networks.sepolia
const { chainId: otherChainId } = networks.mainnet
const [user, contract] = [pad('0xaa', { size: 20 }), pad('0xcc', { size: 20 })]
const limits = { events: 5, scanned: 20 }

const { database, serverUrl, close } = await startTestDatabase()
/** position of the log when a test began */
let start: LogPosition
let seed = 0
let block = 0

afterAll(close)
beforeEach(async () => {
  await settle()
  start = await selectLogHorizon(database)
})

const settle = () => waitForLog(database)

const place = async (
  changes: { owner?: Address; onchainUser?: Address; sellToken?: Address; buyToken?: Address } = {},
): Promise<Hex> => {
  seed += 1
  await insertOrder(database, newOrder(seed, { sellAmount: 1_000n, buyAmount: 3_000n, ...changes }))
  await settle()
  return orderUidOf(seed, changes.owner)
}

const log = async (orderUid: Hex, keys: string[], ofChain: number = chainId) => {
  await database
    .insert(orderEvents)
    .values(keys.map((key) => ({ chainId: ofChain, orderUid, key, label: 'ready' as const })))
  await settle()
}

const cancel = (uid: Hex) => database.update(orders).set({ cancelledAt: new Date() }).where(eq(orders.uid, uid))

const readNew = (after: LogPosition, limit = 100) => selectNewOrderEvents(database, chainId, after, limit)
const readMissed = (topic: LogTopic, after?: LogPosition) =>
  selectMissedOrderEvents(database, chainId, topic, after, limits)

/** Reads all pages of the log. */
const readAll = async (after: LogPosition, limit: number) => {
  const found: { id: number; label: string; orderUid: Hex }[] = []
  let page = await readNew(after, limit)
  for (; !page.isLast; page = await readNew(page.position, limit)) found.push(...page.events.map(({ event }) => event))
  return [...found, ...page.events.map(({ event }) => event)]
}

const hashOf = (number: number): Hex => pad(toHex(number), { size: 32 })

/** The next block, or a replacement of `undoFrom`. */
const advance = async (events: Partial<ChainUpdate> = {}, undoFrom: number | null = null) => {
  block = undoFrom ?? block + 1
  const header = {
    number: block,
    hash: hashOf(block * 10 + (undoFrom ? 1 : 0)),
    timestamp: new Date(1_900_000_000_000),
  }
  const update = { ...noEvents, ...events, fromBlock: block, toBlock: block, blocks: [header], undoFrom }
  await updateChain(database, chainId, update)
  await settle()
}

describe('the log of a network', () => {
  test('is read once and in order with any page size', async () => {
    const uid = await place()
    await log(uid, ['a', 'b', 'c'])
    await log(uid, ['of another network'], otherChainId)
    await log(orderUidOf(0), ['of no order', 'of none either'])
    await log(uid, ['d'])
    const whole = await readAll(start, 100)
    expect(whole.map(({ label }) => label)).toEqual(['created', 'ready', 'ready', 'ready', 'ready'])
    const ids = whole.map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    for (const limit of [1, 2, 5]) expect(await readAll(start, limit)).toEqual(whole)
    const { position, events } = await readNew(start)
    expect(events[0]).toMatchObject({ order: { uid, executedSellAmount: 0n }, trade: null, notifications: [] })
    expect((await readNew(position)).events).toEqual([])
  })

  test('has a trade, its notifications, and their retraction by a reorganisation', async () => {
    const uid = await place()
    await advance()
    const trade = newTrade(block + 1, { orderUid: uid, logIndex: 3, sellAmount: 1_000n, buyAmount: 3_100n })
    await advance({ trades: [trade] })
    const before = await readNew(start)
    expect(before.events.at(-1)).toMatchObject({
      event: { orderUid: uid, label: 'traded', blockNumber: block },
      order: { executedSellAmount: 1_000n, executedBuyAmount: 3_100n },
      trade: { transactionHash: trade.transactionHash, logIndex: 3, sellAmount: 1_000n, buyAmount: 3_100n },
      notifications: [
        { id: expect.any(Number), type: 'order_filled' },
        { id: expect.any(Number), type: 'price_improvement' },
      ],
    })
    await advance({}, block)
    const after = await readNew(before.position)
    expect(after.events).toMatchObject([
      {
        event: { orderUid: uid, label: 'undone', data: { label: 'traded' } },
        order: { executedSellAmount: 0n },
        trade: null,
      },
    ])
    expect((await readAll(start, 100)).map(({ label }) => label)).toEqual(['created', 'undone'])
  })
})

describe('missed events', () => {
  test('of an order: from the beginning, or from a position', async () => {
    const uid = await place()
    await log(await place(), ['of another order'])
    await log(uid, ['a', 'b'])
    const { events, isComplete, horizon } = await readMissed({ orderUid: uid })
    expect({ isComplete, labels: events.map(({ event }) => event.label) }).toEqual({
      isComplete: true,
      labels: ['created', 'ready', 'ready'],
    })
    expect((await readMissed({ orderUid: uid }, events[1]?.position)).events).toEqual(events.slice(2))
    expect(await readMissed({ orderUid: uid }, horizon)).toMatchObject({ events: [], isComplete: true })
  })

  test('of an order with a long log: the newest events, and that there are more', async () => {
    const uid = await place()
    await log(uid, ['a', 'b', 'c', 'd', 'e'])
    const { events, isComplete } = await readMissed({ orderUid: uid })
    expect({ isComplete, labels: events.map(({ event }) => event.label) }).toEqual({
      isComplete: false,
      labels: Array(5).fill('ready'),
    })
    expect(await readMissed({ orderUid: uid }, events[0]?.position)).toMatchObject({ isComplete: true })
  })

  test('of an account: orders that it owns, and those that a contract placed for it', async () => {
    const uids = [await place({ owner: user }), await place({ owner: contract, onchainUser: user })]
    await place({ owner: contract })
    const { events, isComplete } = await readMissed({ account: user }, start)
    expect({ isComplete, uids: events.map(({ event }) => event.orderUid) }).toEqual({ isComplete: true, uids })
  })

  test('of an account whose position is too far back: only that fact', async () => {
    await place({ owner: user })
    await log(
      await place(),
      Array.from({ length: limits.scanned }, (_, i) => `${i}`),
    )
    expect(await readMissed({ account: user }, start)).toMatchObject({ events: [], isComplete: false })
  })
})

describe('snapshots', () => {
  const snapshotOf = async (topic: SearchedTopic, scanned = limits.scanned) => {
    const { events, ...rest } = await selectTopicSnapshot(database, chainId, topic, { ...limits, scanned })
    return { ...rest, found: events.map(({ event }) => [event.orderUid, event.label]) }
  }

  test('of an account: the latest event of each open order, and a position from which to continue', async () => {
    const account = pad('0xdd', { size: 20 })
    const [first, second] = [await place({ owner: account }), await place({ owner: contract, onchainUser: account })]
    await log(first, ['a'])
    await place()
    const { found, isComplete, horizon } = await snapshotOf({ account })
    expect({ found, isComplete }).toEqual({
      found: [
        [second, 'created'],
        [first, 'ready'],
      ],
      isComplete: true,
    })
    await log(first, ['b'])
    expect((await readMissed({ account }, horizon)).events).toMatchObject([{ event: { orderUid: first } }])
    await cancel(first)
    expect((await snapshotOf({ account })).found).toEqual([[second, 'created']])
  })

  test('of the conditional orders of an owner: its open parts alone, and a later event of one is missed from there', async () => {
    const conditional = pad('0xd1', { size: 20 })
    const [part, filled] = [await place({ owner: conditional }), await place({ owner: conditional })]
    await place({ owner: conditional })
    const ofOrder = { chainId, owner: conditional, hash: pad('0x1', { size: 32 }), placedBlock: 1 }
    await database.insert(conditionalParts).values([part, filled].map((orderUid) => ({ ...ofOrder, orderUid })))
    await cancel(filled)
    const { found, isComplete, horizon } = await snapshotOf({ conditional })
    expect({ found, isComplete }).toEqual({ found: [[part, 'created']], isComplete: true })
    await log(part, ['a'])
    const later = [{ event: { orderUid: part, label: 'ready' }, order: { isPart: true } }]
    expect((await readMissed({ conditional }, horizon)).events).toMatchObject(later)
    expect((await readNew(horizon)).events).toMatchObject(later)
  })

  test('of an owner with conditional orders: the newest event of each open one, and later ones are missed from there', async () => {
    const owner = pad('0xd2', { size: 20 })
    const [hash, other, ended] = [pad('0x1'), pad('0x2'), pad('0x3')]
    const toRow = (of: Hex, changes = {}) => ({
      ...{ owner, hash: of, handler: publicContracts.twap, salt: of, staticInput: '0x' as const, proof: [] },
      ...{ blockNumber: block + 1, logIndex: 0, transactionHash: of, ...changes },
    })
    const created = [hash, other, ended].map((of) => toRow(of))
    await advance({ conditional: { created: [...created, toRow(hash, { owner: user })], roots: [] } })
    await database
      .update(conditionalOrders)
      .set({ state: 'ended' })
      .where(and(eq(conditionalOrders.owner, owner), eq(conditionalOrders.hash, ended)))
    const order = await place({ owner })
    const keys = [hash, other].map((of) => [concat([owner, of]), 'opened'])
    const ofConditional = await snapshotOf({ conditional: owner })
    expect(ofConditional.found.sort()).toEqual(keys)
    const { found, horizon } = await snapshotOf({ account: owner })
    expect(found.sort()).toEqual([...keys, [order, 'created']].sort())
    expect((await snapshotOf({ trades: 'all' })).found.map(([key]) => key)).not.toContain(keys[0]?.[0])
    await advance()
    await database.insert(orderEvents).values({
      ...{ chainId, orderUid: concat([owner, hash]), key: 'ended', label: 'ended', reason: 'completed' },
    })
    await waitForLog(database)
    const ends = [{ event: { label: 'ended' }, conditional: { owner, hash, found: { handler: publicContracts.twap } } }]
    for (const topic of [{ account: owner }, { conditional: owner }])
      expect((await readMissed(topic, horizon)).events).toMatchObject(ends)
    expect((await readNew(horizon)).events).toMatchObject(ends)
    expect((await readMissed({ auctions: 'all' }, horizon)).events).toEqual([])
  })

  test('of a pair: its open orders in both directions, the newest ones of too many', async () => {
    const [one, other] = [pad('0xe1', { size: 20 }), pad('0xe2', { size: 20 })]
    const uids = [
      await place({ sellToken: one, buyToken: other }),
      await place({ sellToken: other, buyToken: one }),
      await place({ sellToken: one }),
    ].slice(0, 2)
    const found = uids.map((uid) => [uid, 'created'])
    expect(await snapshotOf({ pair: [other, one] })).toMatchObject({ found, isComplete: true })
    for (let i = 0; i < limits.events; i++) uids.push(await place({ sellToken: one, buyToken: other }))
    const newest = uids.slice(-limits.events).map((uid) => [uid, 'created'])
    expect(await snapshotOf({ pair: [one, other] })).toMatchObject({ found: newest, isComplete: false })
    expect((await readMissed({ pair: [one, other] }, start)).events).toHaveLength(limits.events)
  })

  test('of trades: the newest ones, and a later one is missed from there', async () => {
    const uid = await place({ sellToken: pad('0xe3', { size: 20 }) })
    const pair = [pad('0xe3', { size: 20 }), newOrder(0).buyToken] as const
    const { horizon } = await snapshotOf({ trades: pair })
    await advance()
    await advance({ trades: [newTrade(block + 1, { orderUid: uid, logIndex: 1, sellAmount: 1n, buyAmount: 3n })] })
    const traded = [[uid, 'traded']]
    expect((await snapshotOf({ trades: pair })).found).toEqual(traded)
    expect((await snapshotOf({ trades: 'all' })).found.at(-1)).toEqual(traded[0])
    const missed = await Promise.all([readMissed({ trades: pair }, horizon), readMissed({ trades: 'all' }, horizon)])
    for (const { events } of missed) expect(events).toMatchObject([{ event: { label: 'traded' } }])
  })

  test('of auctions: events with an auction', async () => {
    const uid = await place()
    await database.insert(orderEvents).values({ chainId, orderUid: uid, key: 'x', label: 'executing', auctionId: 9 })
    await settle()
    expect((await snapshotOf({ auctions: 'all' })).found).toEqual([[uid, 'executing']])
    expect((await readMissed({ auctions: 'all' }, start)).events).toMatchObject([{ event: { auctionId: 9 } }])
  })
})

test('existence of an order', async () => {
  const uid = await place()
  const isOrder = (ofChain: number, orderUid: Hex) => selectIsOrder(database, ofChain, orderUid)
  expect(
    await Promise.all([isOrder(chainId, uid), isOrder(otherChainId, uid), isOrder(chainId, orderUidOf(0))]),
  ).toEqual([true, false, false])
})

/** PGlite has one connection, so writes never overlap. */
describe.skipIf(!process.env.TEST_DATABASE_URL)('while several transactions write at the same time', () => {
  const open: Client[] = []
  afterAll(() => Promise.all(open.map((client) => client.end())))

  const connect = async () => {
    const client = new Client({ connectionString: serverUrl })
    await client.connect()
    open.push(client)
    return client
  }
  const write = (client: Client, orderUid: Hex, key: string) =>
    client.query(`insert into order_events (chain_id, order_uid, key, label) values ($1, $2, $3, 'ready')`, [
      chainId,
      Buffer.from(orderUid.slice(2), 'hex'),
      key,
    ])

  const readNext = async (after: LogPosition) => {
    let page = await readNew(after)
    for (let i = 0; page.events.length === 0 && i < 2_000; i += 1) {
      await sleep(20)
      page = await readNew(after)
    }
    return page
  }

  test('events written beside an open transaction wait for it, and none is lost', async () => {
    const uid = await place()
    const [held, other] = [await connect(), await connect()]
    const before = (await readNew(start)).position
    await held.query('begin')
    await write(held, uid, 'held')
    await write(other, uid, 'beside')
    const during = await readNew(before)
    expect(during.events).toEqual([])
    const missed = await readMissed({ orderUid: uid }, before)
    await held.query('commit')
    await settle()
    for (const position of [before, during.position, missed.horizon])
      expect((await readAll(position, 1)).map(({ label }) => label)).toEqual(['ready', 'ready'])
  })

  test('an id reserved earlier and committed later, by the transaction with the higher number, is not lost', async () => {
    const uid = await place()
    const [early, late] = [await connect(), await connect()]
    for (const client of [early, late]) await client.query('begin')
    await early.query('select pg_current_xact_id()')
    await late.query('select pg_current_xact_id()')
    const before = (await readNew(start)).position
    await write(late, uid, 'lower id')
    await write(early, uid, 'higher id')
    await early.query('commit')
    const first = await readNext(before)
    expect(first.events).toHaveLength(1)
    await late.query('commit')
    const second = await readNext(first.position)
    expect(second.events).toHaveLength(1)
    expect(second.events[0]?.event.id).toBeLessThan(first.events[0]?.event.id ?? 0)
  })

  test('a continuous reader receives every event of twenty writers once', async () => {
    const uid = await place()
    const writers = await Promise.all(Array.from({ length: 20 }, connect))
    let position = (await readNew(start)).position
    const seen: number[] = []
    const read = async () => {
      const page = await readNew(position, 7)
      seen.push(...page.events.map(({ event }) => event.id))
      position = page.position
      return page
    }
    let isWriting = true
    const writing = Promise.all(
      writers.map(async (client, i) => {
        for (let j = 0; j < 15; j++) {
          await client.query('begin')
          await write(client, uid, `${i}:${j}:a`)
          await client.query('select pg_sleep($1)', [((i * 7 + j * 3) % 11) / 500])
          await write(client, uid, `${i}:${j}:b`)
          await client.query(j % 5 === 4 ? 'rollback' : 'commit')
        }
      }),
    ).finally(() => {
      isWriting = false
    })
    while (isWriting) await read()
    await writing
    await settle()
    while (!(await read()).isLast);
    const written = (await readAll(start, 1_000)).filter(({ label }) => label === 'ready')
    expect(seen.toSorted((a, b) => a - b)).toEqual(written.map(({ id }) => id).toSorted((a, b) => a - b))
    expect(seen).toHaveLength(20 * 12 * 2)
  })
})

const oldest = { writtenBy: 0n, id: 0 }
measureRows(selectIsOrder, (database, h) => selectIsOrder(database, h.chainId, h.uid))
measureRows(selectLogHorizon, (database) => selectLogHorizon(database))
measureRows(selectNewOrderEvents, (database, h) => selectNewOrderEvents(database, h.chainId, oldest, 200), {
  reads: 400,
})
const missedLimits = { events: 100, scanned: 1_000 }
measureRows(
  selectMissedOrderEvents,
  (database, h) => selectMissedOrderEvents(database, h.chainId, { account: h.busyOwner }, oldest, missedLimits),
  { reads: 4_000 },
)
measureRows(selectMissedOrderEvents, (database, h) =>
  selectMissedOrderEvents(database, h.chainId, { orderUid: h.uid }, oldest, missedLimits),
)
measureRows(
  selectMissedOrderEvents,
  (database, h) => selectMissedOrderEvents(database, h.chainId, { account: h.onchainUser }, oldest, missedLimits),
  { reads: 4_000 },
)
measureRows(selectMissedOrderEvents, (database, h) =>
  selectMissedOrderEvents(database, h.chainId, { orderUid: h.uid }, undefined, missedLimits),
)
measureRows(
  selectMissedOrderEvents,
  (database, h) => selectMissedOrderEvents(database, h.chainId, { trades: 'all' }, oldest, missedLimits),
  { reads: 4_000 },
)
measureRows(
  selectTopicSnapshot,
  (database, h) => selectTopicSnapshot(database, h.chainId, { account: h.busyOwner }, missedLimits),
  { reads: 10_000 },
)
measureRows(
  selectTopicSnapshot,
  (database, h) => selectTopicSnapshot(database, h.chainId, { conditional: h.busyOwner }, missedLimits),
  { reads: 10_000 },
)
measureRows(
  selectMissedOrderEvents,
  (database, h) => selectMissedOrderEvents(database, h.chainId, { conditional: h.busyOwner }, oldest, missedLimits),
  { reads: 4_000 },
)
measureRows(
  selectTopicSnapshot,
  (database, h) => selectTopicSnapshot(database, h.chainId, { auctions: 'all' }, missedLimits),
  { reads: 4_000 },
)
