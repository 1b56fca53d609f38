import { afterAll, expect, test } from 'vitest'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries, currentAuctions } from '../../tables/auctions/auctions.ts'
import { selectCurrentAuction } from './currentAuction.ts'
import { selectAuctionPrices } from './selectAuctionPrices.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

test('returns the newest auction of the chain with its orders, newest first', async () => {
  const prices = { '0xcd': '1000000000000000000' }
  await database.insert(currentAuctions).values([
    { chainId: 1, id: 5, block: 50, prices },
    { chainId: 100, id: 6, block: 60 },
  ])
  const entry = (seed: number, created: number) => ({
    chainId: 1,
    orderUid: orderUidOf(seed),
    enteredAuctionId: 5,
    body: { uid: orderUidOf(seed), created },
  })
  await database
    .insert(auctionEntries)
    .values([
      entry(1, 10),
      entry(2, 20),
      { ...entry(3, 30), leftAuctionId: 5, body: null },
      { ...entry(4, 9), chainId: 7 },
    ])
  const orders = [entry(2, 20).body, entry(1, 10).body]
  expect(await selectCurrentAuction(database, 1)).toEqual({ id: 5, block: 50, prices, orders })
  expect(await selectCurrentAuction(database, 100)).toEqual({ id: 6, block: 60, orders: [], prices: {} })
  expect(await selectCurrentAuction(database, 11_155_111)).toBeUndefined()
  for (const known of [undefined, 4])
    expect(await selectAuctionPrices(database, 1, known)).toEqual({ id: 5, block: 50, prices })
  expect(await selectAuctionPrices(database, 1, 5)).toEqual({ id: 5, block: 50, prices: null })
  expect(await selectAuctionPrices(database, 11_155_111, undefined)).toBeUndefined()
})

measureRows(selectAuctionPrices, (database, h) => selectAuctionPrices(database, h.chainId, undefined))

measureRows(selectCurrentAuction, (database, h) => selectCurrentAuction(database, h.chainId), {
  reads: (h) => h.openOrders,
})
