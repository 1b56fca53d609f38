import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { type CutRecord, insertAuction } from './auctions.ts'
import { selectCurrentAuction } from './currentAuction.ts'

const { chainId } = networks.sepolia
let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
afterAll(() => testDatabase?.close())

const body = (uid: Hex, created: number, executed: string) => JSON.stringify({ uid, created, executed })

test('a cut writes entered, changed and removed orders and leaves the others unchanged', async () => {
  const { database } = testDatabase
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
