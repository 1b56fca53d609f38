import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { type CutRecord, insertAuction, insertCompetition, maxEntries, nextAuctionId } from './auctions.ts'
import { selectCurrentAuction } from './currentAuction.ts'

const { chainId } = networks.sepolia
const { database, close } = await startTestDatabase()
afterAll(close)

const body = (uid: Hex, created: number, executed: string) => JSON.stringify({ uid, created, executed })

test('a cut writes entered, changed and removed orders and leaves the others unchanged', async () => {
  const [first, second, third] = [orderUidOf(1), orderUidOf(2), orderUidOf(3)]
  const cut = async (id: number, changes: Partial<CutRecord>) => {
    const nothing = { transitions: [], entered: [], changed: [], left: [] }
    await insertAuction(database, chainId, { id, block: id, prices: { '0xcd': `${id}` }, ...nothing, ...changes })
    return selectCurrentAuction(database, chainId)
  }
  const listed = [first, second].map((uid, i) => ({ uid, body: body(uid, 9 - i, '0') }))
  expect(await cut(1, { entered: listed })).toEqual({
    id: 1,
    block: 1,
    prices: { '0xcd': '1' },
    orders: listed.map((order) => JSON.parse(order.body)),
  })
  const later = await cut(2, {
    entered: [{ uid: third, body: body(third, 5, '0') }],
    changed: [{ uid: second, body: body(second, 8, '7') }],
    left: [first],
  })
  expect(later?.orders).toEqual([
    { uid: second, created: 8, executed: '7' },
    { uid: third, created: 5, executed: '0' },
  ])
  expect(await cut(3, {})).toMatchObject({ id: 3, orders: later?.orders })
  const entries = await database.select().from(auctionEntries).orderBy(auctionEntries.orderUid)
  expect(entries.map((entry) => [entry.enteredAuctionId, entry.leftAuctionId, entry.body !== null])).toEqual([
    [1, 2, false],
    [1, null, true],
    [2, null, true],
  ])

  const older = await cut(2, { entered: [] })
  expect(older?.id).toBe(3)
})

test('an order that enters and leaves every auction has a bounded number of ranges, and the list is right', async () => {
  const uid = orderUidOf(9)
  const nothing = { block: 1, prices: {}, transitions: [], changed: [] }
  for (let id = 101; id < 101 + 2 * (maxEntries + 5); id += 2) {
    const text = body(uid, id, '0')
    await insertAuction(database, chainId, { ...nothing, id, entered: [{ uid, body: text }], left: [] })
    expect((await selectCurrentAuction(database, chainId))?.orders).toContainEqual(JSON.parse(text))
    await insertAuction(database, chainId, { ...nothing, id: id + 1, entered: [], left: [uid] })
    expect((await selectCurrentAuction(database, chainId))?.orders).not.toContainEqual(JSON.parse(text))
  }
  const ranges = await database.select().from(auctionEntries).where(eq(auctionEntries.orderUid, uid))
  expect(ranges).toHaveLength(maxEntries)
  const last = ranges.toSorted((a, b) => a.enteredAuctionId - b.enteredAuctionId).at(-1)
  expect(last).toMatchObject({ enteredAuctionId: 99 + 2 * maxEntries, leftAuctionId: 110 + 2 * maxEntries })
})

measureRows(
  insertAuction,
  (database, h) =>
    insertAuction(database, h.chainId, {
      id: h.orders,
      block: h.orders,
      prices: {},
      transitions: h.listed(0, 20).map(({ uid }) => ({ uid, label: 'filtered', reason: 'too_far_from_market' })),
      entered: h.listed(0, 20),
      changed: h.listed(20, 20),
      left: h.listed(40, 20).map(({ uid }) => uid),
    }),
  { reads: 200 },
)
measureRows(insertCompetition, (database, h) => {
  const orderUid = h.openUid()
  const amounts = { limitSell: 1n, limitBuy: 1n, executedSell: 1n, executedBuy: 1n }
  return insertCompetition(database, h.chainId, {
    auctionId: h.orders / 10 + 1,
    block: h.orders,
    startBlock: h.orders + 1,
    deadlineBlock: h.orders + 5,
    orderCount: 1,
    prices: {},
    provenPrices: {},
    winningOrders: [orderUid],
    solutions: [
      { uid: 0, solutionId: 1, solver: h.solver, isWinner: true, filteredOut: false, score: 1n, referenceScore: 0n },
    ],
    solutionOrders: [
      { solutionUid: 0, orderUid, side: 'sell', sellToken: h.sellToken, buyToken: h.buyToken, ...amounts },
    ],
    feePolicies: [{ orderUid, applicationOrder: 0, kind: 'volume', volumeFactor: 0.01 }],
    transitions: [{ uid: orderUid, label: 'executing', reason: null }],
  })
})
measureRows(nextAuctionId, (database) => nextAuctionId(database))
