import { asc } from 'drizzle-orm'
import { type Address, type Hex, keccak256, toHex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { insertConditionalOrders } from './insertConditionalEvents.ts'
import { insertPostedOrders } from './insertPostedOrders.ts'

const { chainId } = networks.sepolia
const ownerOf = (i: number): Address => `0x${i.toString(16).padStart(40, '0')}`
const [honest, stranger] = [ownerOf(1), ownerOf(2)]
const most = 6

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
beforeEach(() => emptyDatabase(testDatabase.database))
afterAll(() => testDatabase?.close())

const toRow = (owner: Address, salt: number, blockNumber: number, transactionHash: Hex | null = null) => {
  const hash: Hex = keccak256(toHex(`${owner}${salt}`))
  const params = { handler: owner, salt: hash, staticInput: '0x' as const, proof: [] }
  return { owner, hash, ...params, blockNumber, logIndex: 0, transactionHash }
}
const post = (owner: Address, blockNumber: number, count: number) => {
  const rows = Array.from({ length: count }, (_, i) => toRow(owner, blockNumber * 100 + i, blockNumber))
  return insertPostedOrders(testDatabase.database, chainId, rows, most)
}
/** Number of stored orders by owner. */
const count = async (owner: Address) => (await stored()).filter((row) => row.owner === owner).length
const stored = () => testDatabase.database.select().from(conditionalOrders).orderBy(asc(conditionalOrders.hash))

test('owners who post more than the bound displace only their own orders while others have fewer', async () => {
  expect(await post(honest, 1, 2)).toEqual([])
  expect(await post(stranger, 2, 4)).toEqual([])
  expect(await post(stranger, 3, 4)).toHaveLength(4)
  expect(await post(ownerOf(3), 4, 2)).toHaveLength(2)
  expect([await count(honest), await count(stranger), await count(ownerOf(3))]).toEqual([2, 2, 2])
  // the strangers are many: what is there stays before what comes
  for (let i = 10; i < 20; i++) await post(ownerOf(i), i, 1)
  expect(await count(honest)).toBeGreaterThanOrEqual(1)
  expect(await stored()).toHaveLength(most)
})

test('orders with an event or a part never leave, those that ended without one leave when their owner posts the next', async () => {
  const { database } = testDatabase
  const event = Array.from({ length: most + 1 }, (_, i) => toRow(honest, i, 1, `0x${'ab'.repeat(32)}`))
  await insertConditionalOrders(database, chainId, event)
  await post(stranger, 2, 1)
  await database.update(conditionalOrders).set({ partUid: `0x${'cd'.repeat(56)}`, state: 'ended' })
  expect(await post(stranger, 3, 2)).toEqual([])
  expect(await stored()).toHaveLength(most + 1 + 1 + 2)
  await database.update(conditionalOrders).set({ state: 'ended' })
  expect(await post(stranger, 4, 1)).toEqual([])
  expect([await count(honest), await count(stranger)]).toEqual([most + 1, 2])
})

test('an order whose proof was posted before its event was read has the event, and leaves with no other', async () => {
  const transactionHash: Hex = `0x${'ab'.repeat(32)}`
  await post(honest, 1, 1)
  await insertConditionalOrders(testDatabase.database, chainId, [
    { ...toRow(honest, 100, 2, transactionHash), logIndex: 3 },
  ])
  expect(await stored()).toMatchObject([{ blockNumber: 2, logIndex: 3, transactionHash }])
  await post(honest, 1, 1)
  expect(await stored()).toMatchObject([{ blockNumber: 2, logIndex: 3, transactionHash }])
})
