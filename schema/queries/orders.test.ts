import { eq } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { documentHash, newOrder, orderUidOf } from '#test/helpers/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/testDatabase.ts'
import { appData } from '../tables/appData.ts'
import { invalidations } from '../tables/invalidations.ts'
import { orderEvents } from '../tables/orderEvents.ts'
import { orders } from '../tables/orders.ts'
import { presignatures } from '../tables/presignatures.ts'
import { quotes } from '../tables/quotes.ts'
import { insertOrder, selectAccountOrders, selectOrder, selectOrders, selectPlacementFacts } from './orders.ts'

const chainId: number = networks.sepolia.chainId
let testDatabase: TestDatabase

beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
afterAll(() => testDatabase?.close())

const quote: Omit<typeof quotes.$inferInsert, 'id'> = {
  chainId,
  sellToken: networks.sepolia.wrappedNative,
  buyToken: networks.sepolia.usdReference.address,
  sellAmount: 500n,
  buyAmount: 900n,
  kind: 'sell',
  quoteKind: 'standard',
  gasAmount: 120_000n,
  gasPrice: 3n,
  sellTokenPrice: 1.5,
  feeAmount: 7n,
  solver: '0x5000000000000000000000000000000000000005',
  verified: true,
  metadata: { version: '1.0', interactions: [] },
  expiresAt: new Date('2030-01-01T00:00:00Z'),
}

const insertQuote = async () => {
  const [row] = await testDatabase.database.insert(quotes).values(quote).returning()
  if (!row) throw new Error('no quote')
  return row
}

test('what was inserted comes back, with its document and the copy of its quote', async () => {
  const { database } = testDatabase
  const { id: quoteId } = await insertQuote()
  const order = newOrder(1, { quoteId, class: 'market', receiver: '0x7000000000000000000000000000000000000007' })
  expect(await insertOrder(database, order)).toBe(true)
  await database.delete(quotes).where(eq(quotes.id, quoteId))

  const { chainId: _, fullAppData, ...columns } = order
  const { sellAmount, buyAmount, gasAmount, gasPrice, sellTokenPrice, feeAmount, solver, verified, metadata } = quote
  expect(await selectOrder(database, chainId, order.uid)).toEqual({
    ...columns,
    fullAppData,
    createdAt: expect.any(Date),
    validFrom: null,
    cancelledAt: null,
    invalidated: false,
    presigned: false,
    executedSellAmount: 0n,
    executedBuyAmount: 0n,
    executedFeeAmount: 0n,
    executedFee: 0n,
    version: 1,
    quote: {
      quoteId,
      sellAmount,
      buyAmount,
      gasAmount,
      gasPrice,
      sellTokenPrice,
      feeAmount,
      solver,
      verified,
      metadata,
    },
  })
  expect(await selectOrder(database, 1, order.uid)).toBeUndefined()
})

test('twenty times the same order at once: one of them wins, one row, one event', async () => {
  const { database } = testDatabase
  const { id: quoteId } = await insertQuote()
  const order = newOrder(2, { quoteId })
  const won = await Promise.all(Array.from({ length: 20 }, () => insertOrder(database, order)))
  expect(won.filter(Boolean)).toHaveLength(1)
  expect(await database.select().from(orders).where(eq(orders.uid, order.uid))).toHaveLength(1)
  const events = await database.select().from(orderEvents).where(eq(orderEvents.orderUid, order.uid))
  expect(events).toMatchObject([{ chainId, label: 'created', key: 'created', reason: null }])
})

test('an order that is there already leaves nothing behind, not even another document', async () => {
  const { database } = testDatabase
  await insertOrder(database, newOrder(3))
  const unseen = `0x${'ab'.repeat(32)}` as const
  expect(await insertOrder(database, newOrder(3, { appDataHash: unseen, fullAppData: '{"a":1}' }))).toBe(false)
  expect(await database.select().from(appData).where(eq(appData.hash, unseen))).toEqual([])
  expect((await selectOrder(database, chainId, orderUidOf(3)))?.appDataHash).toBe(documentHash)
})

test('the same UID on two chains is two orders', async () => {
  const { database } = testDatabase
  expect(await insertOrder(database, newOrder(4))).toBe(true)
  expect(await insertOrder(database, newOrder(4, { chainId: 1 }))).toBe(true)
})

test('facts for a placement: the duplicate, the quote of this chain, the document', async () => {
  const { database } = testDatabase
  const row = await insertQuote()
  await insertOrder(database, newOrder(5))
  const ask = (seed: number, quoteId: number | null, appDataHash = documentHash, chain = chainId) =>
    selectPlacementFacts(database, chain, { uid: orderUidOf(seed), quoteId, appDataHash })
  expect(await ask(5, row.id)).toEqual({
    duplicate: expect.objectContaining({ uid: orderUidOf(5), createdAt: expect.any(Date) }),
    quote: row,
    fullAppData: '{}',
  })
  const nothing = { duplicate: null, quote: null, fullAppData: null }
  expect(await ask(6, null, `0x${'cd'.repeat(32)}`)).toEqual(nothing)
  expect(await ask(6, row.id + 1, `0x${'cd'.repeat(32)}`)).toEqual(nothing)
  expect(await ask(5, row.id, documentHash, 1)).toEqual({ ...nothing, fullAppData: '{}' })
})

test('several orders by UID: those that exist', async () => {
  const { database } = testDatabase
  await insertOrder(database, newOrder(7))
  await insertOrder(database, newOrder(8))
  const found = await selectOrders(database, chainId, [orderUidOf(7), orderUidOf(8), orderUidOf(9)])
  expect(found.map((order) => order.uid).sort()).toEqual([orderUidOf(7), orderUidOf(8)])
})

test('orders of an account: newest first, page by page, of this chain only', async () => {
  const { database } = testDatabase
  const owner: Address = '0x6000000000000000000000000000000000000006'
  for (const [seed, second] of [
    [10, 1],
    [11, 3],
    [12, 2],
    [13, 2],
  ] as const) {
    await insertOrder(database, newOrder(seed, { owner, createdAt: new Date(second * 1_000) }))
  }
  await insertOrder(database, newOrder(14, { owner, chainId: 1 }))
  const select = async (offset: number, limit: number) =>
    (await selectAccountOrders(database, chainId, owner, { offset, limit })).map((order) => order.uid)
  const expected = [11, 12, 13, 10].map((seed) => orderUidOf(seed, owner))
  expect(await select(0, 1_000)).toEqual(expected)
  expect(await select(1, 2)).toEqual(expected.slice(1, 3))
  expect(await select(4, 10)).toEqual([])
})

test('an order that was presigned, or invalidated, on-chain before it came has been so from the start', async () => {
  const { database } = testDatabase
  const event = { chainId, blockNumber: 7, owner: newOrder(0).owner }
  const signed = newOrder(20, { signingScheme: 'presign', signature: '0x' })
  const revoked = newOrder(21, { signingScheme: 'presign', signature: '0x' })
  const invalidated = newOrder(22)
  await database.insert(presignatures).values([
    { ...event, logIndex: 0, orderUid: signed.uid, signed: false },
    { ...event, logIndex: 1, orderUid: signed.uid, signed: true },
    { ...event, logIndex: 2, orderUid: revoked.uid, signed: true },
    { ...event, logIndex: 3, orderUid: revoked.uid, signed: false },
  ])
  await database.insert(invalidations).values({ ...event, logIndex: 4, orderUid: invalidated.uid })
  for (const order of [signed, revoked, invalidated]) expect(await insertOrder(database, order)).toBe(true)
  expect(await selectOrder(database, chainId, signed.uid)).toMatchObject({ presigned: true, invalidated: false })
  expect(await selectOrder(database, chainId, revoked.uid)).toMatchObject({ presigned: false })
  expect(await selectOrder(database, chainId, invalidated.uid)).toMatchObject({ invalidated: true })
})
