import { eq, sql } from 'drizzle-orm'
import { type Address, type Hex, pad } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { documentHash, hashOf, newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { newQuote } from '#test/helpers/database/newQuote.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { insertQuote } from '../quotes/quotes.ts'
import { selectAccountOrders } from './accountOrders.ts'
import { insertOrder, selectOrder, selectOrders, selectTransactionOrders } from './orders.ts'

const chainId: number = networks.sepolia.chainId
const { database, close } = await startTestDatabase()
afterAll(close)

const quote = newQuote({ metadata: { version: '1.0', interactions: [] } })

test('returns an inserted order with its document and the copy of its quote', async () => {
  const quoteId = await insertQuote(database, quote)
  const order = newOrder(1, { quoteId, class: 'market', receiver: '0x7000000000000000000000000000000000000007' })
  expect((await insertOrder(database, order)).inserted).toBe(true)
  await database.delete(quotes).where(eq(quotes.id, quoteId))

  const { chainId: _, fullAppData, ...columns } = order
  const { sellAmount, buyAmount, gasAmount, gasPrice, sellTokenPrice, feeAmount, solver, verified, metadata } = quote
  expect(await selectOrder(database, chainId, order.uid)).toEqual({
    ...columns,
    fullAppData,
    createdAt: expect.any(Date),
    validFrom: null,
    preInteractions: [],
    postInteractions: [],
    partnerFees: [],
    jitBlock: null,
    onchainUser: null,
    userValidTo: null,
    placementError: null,
    quoteNotFound: false,
    availableBalance: null,
    refundTransactionHash: null,
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

test('twenty simultaneous inserts of one order write one row and one event', async () => {
  const quoteId = await insertQuote(database, quote)
  const order = newOrder(2, { quoteId })
  const won = await Promise.all(Array.from({ length: 20 }, () => insertOrder(database, order)))
  expect(won.filter(({ inserted }) => inserted)).toHaveLength(1)
  expect(won.map(({ stored }) => stored?.uid)).toEqual(Array(20).fill(order.uid))
  expect(await database.select().from(orders).where(eq(orders.uid, order.uid))).toHaveLength(1)
  const events = await database.select().from(orderEvents).where(eq(orderEvents.orderUid, order.uid))
  expect(events).toMatchObject([{ chainId, label: 'created', key: 'created', reason: null }])
})

test('a duplicate order writes nothing, including its document', async () => {
  await insertOrder(database, newOrder(3))
  const unseen = `0x${'ab'.repeat(32)}` as const
  expect(await insertOrder(database, newOrder(3, { appDataHash: unseen, fullAppData: '{"a":1}' }))).toMatchObject({
    inserted: false,
    stored: { uid: orderUidOf(3) },
  })
  expect(await database.select().from(appData).where(eq(appData.hash, unseen))).toEqual([])
  expect((await selectOrder(database, chainId, orderUidOf(3)))?.appDataHash).toBe(documentHash)
})

test('the same UID on two chains is two orders', async () => {
  expect((await insertOrder(database, newOrder(4))).inserted).toBe(true)
  expect((await insertOrder(database, newOrder(4, { chainId: 1 }))).inserted).toBe(true)
})

test('returns the existing orders of several UIDs', async () => {
  await insertOrder(database, newOrder(7))
  await insertOrder(database, newOrder(8))
  const found = await selectOrders(database, chainId, [orderUidOf(7), orderUidOf(8), orderUidOf(9)])
  expect(found.map((order) => order.uid).sort()).toEqual([orderUidOf(7), orderUidOf(8)])
})

test('lists orders of an account newest first, page by page, of this chain only', async () => {
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

  const after = async (uid: Hex, limit = 10) =>
    (await selectAccountOrders(database, chainId, owner, { offset: 0, limit, after: uid })).map((order) => order.uid)
  for (const [index, uid] of expected.entries()) expect(await after(uid)).toEqual(expected.slice(index + 1))
  expect(await after(orderUidOf(11, owner), 2)).toEqual(expected.slice(1, 3))
  expect(await after(orderUidOf(99, owner))).toEqual([])
  expect(await after(orderUidOf(14, owner))).toEqual([])
})

test('pages orders of equal creation time by their UIDs, to the microsecond', async () => {
  const owner: Address = '0x6100000000000000000000000000000000000006'
  for (const seed of [30, 31, 32, 33]) await insertOrder(database, newOrder(seed, { owner }))
  for (const [seed, instant] of [
    [30, '2026-01-01T00:00:00.000001Z'],
    [31, '2026-01-01T00:00:00.000002Z'],
    [32, '2026-01-01T00:00:00.000001Z'],
    [33, '2026-01-01T00:00:00.000001Z'],
  ] as const) {
    await database
      .update(orders)
      .set({ createdAt: sql`${instant}::timestamptz` })
      .where(eq(orders.uid, orderUidOf(seed, owner)))
  }
  const seen: Hex[] = []
  for (let after: Hex | undefined; seen.length < 9; after = seen.at(-1)) {
    const [next] = await selectAccountOrders(database, chainId, owner, { offset: 0, limit: 1, after })
    if (!next) break
    seen.push(next.uid)
  }
  expect(seen).toEqual([31, 30, 32, 33].map((seed) => orderUidOf(seed, owner)))
})

test('lists the known orders of both settlements of a transaction, each once', async () => {
  const transactionHash = `0x${'7a'.repeat(32)}` as const
  const other = `0x${'7b'.repeat(32)}` as const
  for (const seed of [40, 41, 42]) await insertOrder(database, newOrder(seed, { createdAt: new Date(seed * 1_000) }))
  const { owner, sellToken, buyToken } = newOrder(40)
  const trade = { chainId, blockNumber: 9, owner, sellToken, buyToken, sellAmount: 1n, buyAmount: 1n, feeAmount: 0n }
  await database.insert(trades).values([
    { ...trade, transactionHash, logIndex: 1, settlementLogIndex: 3, orderUid: orderUidOf(40) },
    { ...trade, transactionHash, logIndex: 2, settlementLogIndex: 3, orderUid: orderUidOf(49) },
    { ...trade, transactionHash, logIndex: 4, settlementLogIndex: 6, orderUid: orderUidOf(41) },
    { ...trade, transactionHash, logIndex: 5, settlementLogIndex: 6, orderUid: orderUidOf(40) },
    { ...trade, transactionHash: other, logIndex: 7, settlementLogIndex: 8, orderUid: orderUidOf(42) },
  ])
  const found = await selectTransactionOrders(database, chainId, transactionHash)
  expect(found.map((order) => order.uid)).toEqual([orderUidOf(41), orderUidOf(40)])
  expect(found[0]).toMatchObject({ fullAppData: '{}', quote: null })
  expect(await selectTransactionOrders(database, chainId, `0x${'7c'.repeat(32)}`)).toEqual([])
  expect(await selectTransactionOrders(database, 1, transactionHash)).toEqual([])
})

test('applies earlier on-chain presignatures and invalidations to a new order', async () => {
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
  await database
    .insert(invalidations)
    .values({ ...event, logIndex: 4, transactionHash: pad('0x9'), orderUid: invalidated.uid })
  for (const order of [signed, revoked, invalidated]) expect((await insertOrder(database, order)).inserted).toBe(true)
  expect(await selectOrder(database, chainId, signed.uid)).toMatchObject({ presigned: true, invalidated: false })
  expect(await selectOrder(database, chainId, revoked.uid)).toMatchObject({ presigned: false })
  expect(await selectOrder(database, chainId, invalidated.uid)).toMatchObject({ invalidated: true })
})

measureRows(selectOrder, (database, h) => selectOrder(database, h.chainId, h.uid))
measureRows(selectOrders, (database, h) =>
  selectOrders(
    database,
    h.chainId,
    Array.from({ length: 128 }, (_, i) => h.uidOf(1 + i * Math.floor(h.orders / 128))),
  ),
)
measureRows(selectTransactionOrders, (database, h) =>
  selectTransactionOrders(database, h.chainId, hashOf(h.middle + 1)),
)
const bounds = () => ({
  now: nowSeconds(),
  limitOrders: 10,
  openOrders: 1_000,
  unsignedOfClient: 10,
  unsignedOrders: 1_000,
})
const pricing = () => ({ now: nowSeconds(), maxGas: 10n ** 9n })
measureRows(
  insertOrder,
  (database, { chainId, busyOwner: owner, middle: quoteId }) =>
    insertOrder(database, newOrder(1, { chainId, owner, quoteId, referrerCode: 'CODE' }), null, bounds(), pricing()),
  { reads: 1_000 },
)
// the newest order, which is the busy owner's, is replaced unless one of the newest competitions has it
measureRows(
  insertOrder,
  (database, { chainId, busyOwner: owner, openUid, openOrders }) =>
    insertOrder(database, newOrder(1, { chainId, owner }), { uid: openUid(openOrders - 1), now: nowSeconds() }),
  { reads: 100 },
)
// a signed submission replaces the unsigned one
measureRows(
  insertOrder,
  async (database, { chainId }) => {
    const unsigned = newOrder(1, { chainId, signingScheme: 'presign', signature: '0x', submittedBy: '0xc1' })
    return [
      await insertOrder(database, unsigned, null, bounds(), pricing()),
      await insertOrder(database, newOrder(1, { chainId }), null, bounds(), pricing()),
    ]
  },
  { reads: 2_000 },
)
