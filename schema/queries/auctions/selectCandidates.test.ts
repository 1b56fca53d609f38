import { eq, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'
import { insertOrder, type NewOrder } from '../orders/orders.ts'
import { openBook } from './openBook.ts'
import { selectCandidates } from './selectCandidates.ts'

const chainId: number = networks.sepolia.chainId
const now = 1_900_000_000
const { database, close } = await startTestDatabase()
afterAll(close)

test('a candidate has the quote that it was placed with', async () => {
  const quote = { sellAmount: 5n, buyAmount: 7n, feeAmount: 1n, solver: newOrder(9).owner }
  const rest = { gasAmount: 1n, gasPrice: 1n, sellTokenPrice: 1, verified: true, metadata: {} }
  const [quoted, unquoted] = [newOrder(20, { chainId: 1 }), newOrder(21, { chainId: 1 })]
  for (const order of [quoted, unquoted]) await insertOrder(database, order)
  await database.insert(orderQuotes).values({ chainId: 1, orderUid: quoted.uid, quoteId: 3, ...quote, ...rest })
  const { candidates } = await selectCandidates(database, 1, now, 0)
  expect(new Map(candidates.map((candidate) => [candidate.order.uid, candidate.quote]))).toEqual(
    new Map([
      [quoted.uid, quote],
      [unquoted.uid, null],
    ]),
  )
})

test('an order is a candidate from validFrom until its remaining validity is too short', async () => {
  const put = async (seed: number, changes: Partial<NewOrder>) => {
    const order = newOrder(seed, changes)
    await insertOrder(database, order)
    return order.uid
  }
  const always = await put(1, {})
  const later = await put(2, { validFrom: now + 1 })
  const begun = await put(3, { validFrom: now })
  const ending = await put(4, { validTo: now + 30 })
  await database.insert(auctionEntries).values({ chainId, orderUid: later, enteredAuctionId: 1 })
  const select = async (at: number, minValiditySeconds: number) => {
    const { candidates, departed } = await selectCandidates(database, chainId, at, minValiditySeconds)
    return { candidates: candidates.map(({ order }) => order.uid).sort(), departed }
  }
  expect(await select(now, 30)).toEqual({ candidates: [always, begun, ending].sort(), departed: [later] })
  expect(await select(now + 1, 30)).toEqual({ candidates: [always, later, begun].sort(), departed: [] })
})

test('listed orders of a large book are found by a hash, whatever Postgres knows of the tables', async () => {
  const book = openBook(chainId, sql`true`, { maxOrders: 5_000, prices: new Map(), turnAfter: '0x' })
  const { rows } = await database.execute<{ 'QUERY PLAN': string }>(
    sql`explain verbose select * from (${book}) as book`,
  )
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/hashed SubPlan/)
})

test('a candidate has its failed settlements: those that count for it, and those of each solver', async () => {
  const [failing, sound] = [newOrder(31, { chainId: 5 }), newOrder(32, { chainId: 5 })]
  for (const order of [failing, sound]) await insertOrder(database, order)
  await insertOrder(database, { ...sound, chainId: 6 })
  const [first, second, silent]: Address[] = ['a1', 'a2', 'a3'].map((byte): Address => `0x${byte.repeat(20)}`)
  const put = (chainId: number, orderUid: Hex, solver: Address | undefined, lastBlock: number, reverts: number) =>
    database.insert(settlementFailures).values({
      chainId,
      orderUid,
      solver: solver as Address,
      faults: 0,
      failures: 2,
      reverts,
      lastOutcome: 'x',
      lastBlock,
      lastRevertBlock: reverts > 0 ? lastBlock : null,
    })
  await put(5, failing.uid, first, 40, 2)
  await put(5, failing.uid, second, 50, 1)
  await put(5, failing.uid, silent, 60, 0)
  await put(6, failing.uid, first, 70, 2)
  await put(6, sound.uid, first, 70, 2)
  const { candidates } = await selectCandidates(database, 5, now, 0)
  const found = new Map(candidates.map(({ order, settlementFailures: failures }) => [order.uid, failures]))
  expect(found.get(sound.uid)).toBeNull()
  const row = (reverts: number, lastBlock: number) => ({
    failures: 2,
    reverts,
    faults: 0,
    lastOutcome: 'x',
    lastBlock,
    lastRevertBlock: reverts > 0 ? lastBlock : null,
  })
  expect(found.get(failing.uid)).toEqual({
    failures: 3,
    lastBlock: 50,
    bySolver: new Map([
      [first, row(2, 40)],
      [second, row(1, 50)],
      [silent, row(0, 60)],
    ]),
  })
})

test('reads a known order again only after its version changed', async () => {
  const [same, changed] = [newOrder(11), newOrder(12)]
  for (const order of [same, changed]) await insertOrder(database, order)
  const select = async (known?: Awaited<ReturnType<typeof selectCandidates>>['candidates']) => {
    const map = known && new Map(known.map((candidate) => [candidate.order.uid, candidate]))
    const { candidates } = await selectCandidates(database, chainId, now, 0, map)
    return new Map(candidates.map((candidate) => [candidate.order.uid, candidate]))
  }
  const first = await select()
  await database.update(orders).set({ executedSellAmount: 7n, version: 2 }).where(eq(orders.uid, changed.uid))
  await database.insert(auctionEntries).values({ chainId, orderUid: same.uid, enteredAuctionId: 1 })
  const second = await select([...first.values()])
  expect(second.get(same.uid)?.order).toBe(first.get(same.uid)?.order)
  expect(second.get(same.uid)).toMatchObject({ entered: true, version: 1 })
  expect(second.get(changed.uid)).toMatchObject({ version: 2, order: { executedSellAmount: 7n } })
  expect([...second.keys()]).toEqual([...first.keys()])
})

test('a book beyond the limit has its nearest, its newest and all others in turn', async () => {
  const full = 7
  // the limit of the order `i` is `i + 1` times the market, the oldest is the nearest
  const placed = Array.from({ length: 20 }, (_, i) => {
    const { fullAppData: _document, ...order } = newOrder(100 + i)
    const createdAt = new Date((now - 1_000 + i) * 1_000)
    return { ...order, chainId: full, sellAmount: 100n, buyAmount: 100n * BigInt(i + 1), createdAt }
  })
  await database.insert(orders).values(placed)
  const [nearest, second, third, fourth] = placed.map(({ uid }) => uid)
  const newest = placed.slice(-2).map(({ uid }) => uid)
  // its owner's funds do not cover it
  await database
    .update(orders)
    .set({ availableBalance: 99n })
    .where(eq(orders.uid, second as Hex))
  const listed = placed[15]?.uid as Hex
  await database.insert(auctionEntries).values({ chainId: full, orderUid: listed, enteredAuctionId: 1 })
  const { sellToken, buyToken } = placed[0] as (typeof placed)[number]
  const prices = new Map([sellToken, buyToken].map((token) => [token, 0.5] as const))
  const select = async (maxOrders: number, turnAfter: Hex) => {
    const limit = { maxOrders, prices, turnAfter }
    const { candidates, ...rest } = await selectCandidates(database, full, now, 0, undefined, limit)
    return { ...rest, uids: candidates.map(({ order }) => order.uid) }
  }

  const { uids } = await select(10, '0x')
  expect(uids).toEqual(expect.arrayContaining([nearest, third, fourth, ...newest]))
  expect(uids.length).toBeLessThanOrEqual(10)

  const seen = new Set<Hex>()
  let turnAfter: Hex = '0x80'
  for (let turn = 0; turn < 10; turn++) {
    const cut = await select(10, turnAfter)
    for (const uid of cut.uids) seen.add(uid)
    expect(cut.departed).toEqual(cut.uids.includes(listed) ? [] : [listed])
    expect(cut.crowdedOut).toEqual(cut.departed)
    turnAfter = cut.turnEnd
  }
  expect([...seen].sort()).toEqual(placed.map(({ uid }) => uid).sort())

  const whole = await select(20, '0x')
  expect(whole).toMatchObject({ departed: [], crowdedOut: [] })
  expect(whole.uids).toEqual(placed.map(({ uid }) => uid).toReversed())
})

measureRows(selectCandidates, (database, h) => selectCandidates(database, h.chainId, nowSeconds(), 0))
