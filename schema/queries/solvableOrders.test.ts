import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { newOrder } from '#test/helpers/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/testDatabase.ts'
import { auctionEntries } from '../tables/auctions.ts'
import { insertOrder, type NewOrder } from './orders.ts'
import { selectCandidates } from './solvableOrders.ts'

const chainId: number = networks.sepolia.chainId
const now = 1_900_000_000
let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
afterAll(() => testDatabase?.close())

test('an order is a candidate from validFrom on, while it is valid long enough', async () => {
  const { database } = testDatabase
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
