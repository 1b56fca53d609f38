import { afterAll, expect, test } from 'vitest'
import { auctionEntries, currentAuctions } from '#schema/tables/auctions/auctions.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getAuction } from './getAuction.ts'

const chainId = 11_155_111
const { database, close } = await startTestDatabase()
afterAll(close)
const get = () => getAuction({ database, chainId }).request('/api/v1/auction')

test('GET auction is 404 before the first auction, then returns the newest one', async () => {
  const none = await get()
  expect(none.status).toBe(404)
  expect(await none.json()).toEqual({ errorType: 'NotFound', description: 'There is no active auction' })

  const body = { uid: '0xab', created: '1' }
  await database.insert(currentAuctions).values({ chainId, id: 3, block: 12, prices: { '0xcd': '10' } })
  await database.insert(auctionEntries).values({ chainId, orderUid: orderUidOf(1), enteredAuctionId: 3, body })
  const response = await get()
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const auction = { id: 3, block: 12, orders: [body], prices: { '0xcd': '10' } }
  expect(await response.json()).toEqual({ ...auction, surplusCapturingJitOrderOwners: [] })
})
