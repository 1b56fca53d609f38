import { afterAll, expect, test } from 'vitest'
import { insertAppData } from '#schema/queries/orders/appData.ts'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import { orderQuotes } from '#schema/tables/quotes/orderQuotes.ts'
import { readAppDataDocument } from '#shared/appData/readAppData.ts'
import { networks } from '#shared/networks.ts'
import type { OrderAppData } from '#shared/orders/orderResponse.ts'
import { documentHash, newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getOrder } from './getOrder.ts'

const { chainId } = networks.sepolia
const validTo = 2_000_000_000
const filled = { executedSellAmount: 1000n, executedBuyAmount: 2100n }
const { database, close } = await startTestDatabase()
afterAll(close)

let seed = 0
/** Stores another order of 1000 atoms for 2000, open unless `changes` differ. */
const store = async (changes: Partial<NewOrder> = {}) => {
  seed += 1
  const order = newOrder(seed, { sellAmount: 1000n, buyAmount: 2000n, validTo, ...changes })
  await storeOrder(database, order)
  return order
}

const storeQuote = async ({ uid: orderUid, owner: solver }: NewOrder, metadata: object | null) => {
  const amounts = { sellAmount: 1000n, buyAmount: 2000n, gasAmount: 1n, gasPrice: 1n, sellTokenPrice: 1, feeAmount: 1n }
  await database
    .insert(orderQuotes)
    .values({ chainId, orderUid, quoteId: 7, ...amounts, solver, verified: true, metadata })
}

type Options = { ifNoneMatch?: string; now?: number; orderAppData?: OrderAppData }
const get = (uid: string, { ifNoneMatch, now = validTo - 10, orderAppData = 'hash' }: Options = {}) =>
  getOrder({ database, chainId, now: () => 1_000 * now, orderAppData }).request(`/api/v1/orders/${uid}`, {
    headers: ifNoneMatch ? { 'If-None-Match': ifNoneMatch } : {},
  })
const read = async (changes: Partial<NewOrder>) => (await get((await store(changes)).uid)).json()

test('a live order is revalidated on each request, by an ETag of version and status', async () => {
  const { uid } = await store()
  const response = await get(uid)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ uid, status: 'open', sellAmount: '1000' })
  expect(response.headers.get('ETag')).toBe('W/"1-open"')
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
})

test('finds an order by its UID without 0x', async () => {
  const { uid } = await store()
  expect(await (await get(uid.slice(2).toUpperCase())).json()).toMatchObject({ uid })
  expect((await get(uid.slice(4))).status).toBe(400)
})

test.each([
  [{ class: 'market' as const, feeAmount: 0n }, 'limit'],
  [{ class: 'limit' as const, feeAmount: 0n }, 'limit'],
  [{ class: 'limit' as const, feeAmount: 5n }, 'market'],
  [{ class: 'liquidity' as const, feeAmount: 0n }, 'liquidity'],
])('shows the class by the signed fee: %o is a %s order', async (changes, expected) => {
  expect(await read(changes)).toMatchObject({ class: expected })
})

test.each<[string, Partial<NewOrder>, string | null]>([
  ['has what its owner held at the last cut', { availableBalance: 900n }, '900'],
  ['has no more than it sells', { availableBalance: 5000n }, '1000'],
  [
    'has no more than the rest of it',
    { availableBalance: 1000n, executedSellAmount: 300n, partiallyFillable: true },
    '700',
  ],
  ['has its fee, too', { availableBalance: 5000n, feeAmount: 7n }, '1007'],
  ['has nothing before a cut has looked', {}, '0'],
  ['of a contract that may pay within the settlement has all of it', { signingScheme: 'eip1271' }, '1000'],
  ['that is cancelled has none', { availableBalance: 900n, cancelledAt: new Date(0) }, null],
])('an order %s as availableBalance', async (_, changes, availableBalance) => {
  expect(await read(changes)).toMatchObject({ availableBalance })
})

test.each([
  ['document' as const, '{}'],
  ['hash' as const, documentHash],
])('with ORDER_APP_DATA=%s appData is %s, and the document stays beside it', async (orderAppData, appData) => {
  const { uid } = await store()
  const order = await (await get(uid, { orderAppData })).json()
  expect(order).toMatchObject({ appData, appDataHash: documentHash, fullAppData: '{}' })
})

test('an on-chain order with an unknown quote id states it', async () => {
  const placed = { onchainUser: newOrder(0).owner, quoteNotFound: true }
  expect(await read(placed)).toMatchObject({ onchainOrderData: { placementError: 'QuoteNotFound' } })
  const worse = { ...placed, placementError: 'nonZeroFee' as const }
  expect(await read(worse)).toMatchObject({ onchainOrderData: { placementError: 'nonZeroFee' } })
})

test.each([
  ['an open order hides the plan of its quote', {}, { version: '1.0' }, {}],
  ['a filled order shows the plan of its quote', filled, { version: '1.0' }, { version: '1.0' }],
  ['a quote without a plan has an empty object', filled, {}, {}],
])('%s', async (_, changes, metadata, expected) => {
  const order = await store({ ...changes, quoteId: 7 })
  await storeQuote(order, metadata)
  expect(await (await get(order.uid)).json()).toMatchObject({ quote: { metadata: expected } })
})

test('an order in a final state is cached for a minute', async () => {
  const response = await get((await store(filled)).uid)
  expect(response.headers.get('ETag')).toBe('W/"1-fulfilled"')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60, stale-while-revalidate=300')
})

test.each(['W/"1-open"', '"1-open"', '"x", W/"1-open"', '*'])('If-None-Match: %s → 304 without a body', async (tag) => {
  const response = await get((await store()).uid, { ifNoneMatch: tag })
  expect(response.status).toBe(304)
  expect(await response.text()).toBe('')
  expect(response.headers.get('ETag')).toBe('W/"1-open"')
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
})

test('time alone changes the ETag: the same row, once expired', async () => {
  const response = await get((await store()).uid, { ifNoneMatch: 'W/"1-open"', now: validTo + 1 })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'expired' })
})

test('a document that is uploaded after its on-chain order changes the ETag', async () => {
  const fullAppData = '{"appCode":"late"}'
  const { appDataHash } = readAppDataDocument(fullAppData)
  const { uid } = await store({ onchainUser: newOrder(0).owner, appDataHash, fullAppData: null })
  const ifNoneMatch = (await get(uid)).headers.get('ETag') ?? ''
  expect((await get(uid, { ifNoneMatch })).status).toBe(304)
  await insertAppData(database, appDataHash, fullAppData)
  expect(await (await get(uid, { ifNoneMatch })).json()).toMatchObject({ fullAppData })
})

test('an unknown order is 404, a malformed UID 400; neither is cached', async () => {
  const unknown = await get(`0x${'aa'.repeat(56)}`)
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({ errorType: 'NotFound', description: 'Order was not found' })
  expect(unknown.headers.get('Cache-Control')).toBe('no-store')
  const malformed = await get(`0x${'aa'.repeat(55)}a`)
  expect(malformed.status).toBe(400)
  expect(await malformed.json()).toMatchObject({ errorType: 'InvalidParameter', data: { field: 'uid' } })
  expect(malformed.headers.get('Cache-Control')).toBe('no-store')
})
