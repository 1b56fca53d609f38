import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '#test/helpers/testDatabase.ts'
import { currentAuctions } from '../tables/auctions.ts'
import { selectCurrentAuction } from './currentAuction.ts'

let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await startTestDatabase()
})

afterAll(() => testDatabase?.close())

test('the auction that was cut last on the chain', async () => {
  const { database } = testDatabase
  const body = { orders: [{ uid: '0xab', sellAmount: '1' }], prices: { '0xcd': '1000000000000000000' } }
  await database.insert(currentAuctions).values([
    { chainId: 1, id: 5, block: 50, body },
    { chainId: 100, id: 6, block: 60, body: { orders: [], prices: {} } },
  ])
  expect(await selectCurrentAuction(database, 1)).toEqual({ id: 5, block: 50, ...body })
  expect(await selectCurrentAuction(database, 100)).toEqual({ id: 6, block: 60, orders: [], prices: {} })
  expect(await selectCurrentAuction(database, 11_155_111)).toBeUndefined()
})
