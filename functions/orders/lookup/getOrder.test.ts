import { expect, test } from 'vitest'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { getOrder } from './getOrder.ts'

const { uid, validTo } = filledOrder
const open: StoredOrder = { ...filledOrder, executedSellAmount: 0n, executedBuyAmount: 0n, version: 1 }

const orderQuote: NonNullable<StoredOrder['quote']> = {
  quoteId: 7,
  sellAmount: 1000n,
  buyAmount: 2000n,
  gasAmount: 1n,
  gasPrice: 1n,
  sellTokenPrice: 1,
  feeAmount: 1n,
  solver: filledOrder.owner,
  verified: true,
  metadata: {},
}

const get = (stored: StoredOrder | undefined, options: { path?: string; ifNoneMatch?: string; now?: number } = {}) =>
  getOrder({ now: () => 1_000 * (options.now ?? validTo - 10), selectOrder: async () => stored }).request(
    `/api/v1/orders/${options.path ?? uid}`,
    { headers: options.ifNoneMatch ? { 'If-None-Match': options.ifNoneMatch } : {} },
  )

test('a live order is revalidated on each request, by an ETag of version and status', async () => {
  const response = await get(open)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ uid, status: 'open', sellAmount: '1000' })
  expect(response.headers.get('ETag')).toBe('W/"1-open"')
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
})

test.each([
  [{ class: 'market' as const, feeAmount: 0n }, 'limit'],
  [{ class: 'limit' as const, feeAmount: 0n }, 'limit'],
  [{ class: 'limit' as const, feeAmount: 5n }, 'market'],
  [{ class: 'liquidity' as const, feeAmount: 0n }, 'liquidity'],
])('shows the class by the signed fee: %o is a %s order', async (changes, expected) => {
  expect(await (await get({ ...open, ...changes })).json()).toMatchObject({ class: expected })
})

test.each<[string, Partial<StoredOrder>, string | null]>([
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
  expect(await (await get({ ...open, ...changes })).json()).toMatchObject({ availableBalance })
})

test.each([
  ['document' as const, '{"a":1}'],
  ['hash' as const, filledOrder.appDataHash],
])('with ORDER_APP_DATA=%s appData is %s, and the document stays beside it', async (orderAppData, appData) => {
  const stored = { ...open, fullAppData: '{"a":1}' }
  const app = getOrder({ now: () => 1_000 * (validTo - 10), orderAppData, selectOrder: async () => stored })
  const order = await (await app.request(`/api/v1/orders/${uid}`)).json()
  expect(order).toMatchObject({ appData, appDataHash: filledOrder.appDataHash, fullAppData: '{"a":1}' })
})

test('an on-chain order with an unknown quote id states it', async () => {
  const placed = { ...open, onchainUser: filledOrder.owner, quoteNotFound: true }
  const read = async (order: StoredOrder) => (await get(order)).json()
  expect(await read(placed)).toMatchObject({ onchainOrderData: { placementError: 'QuoteNotFound' } })
  const worse = { ...placed, placementError: 'nonZeroFee' as const }
  expect(await read(worse)).toMatchObject({ onchainOrderData: { placementError: 'nonZeroFee' } })
})

test.each([
  ['an open order hides the plan of its quote', open, { version: '1.0' }, {}],
  ['a filled order shows the plan of its quote', filledOrder, { version: '1.0' }, { version: '1.0' }],
  ['a quote without a plan has an empty object', filledOrder, null, {}],
])('%s', async (_, order, metadata, expected) => {
  const response = await get({ ...order, quoteId: 7, quote: { ...orderQuote, metadata } })
  expect(await response.json()).toMatchObject({ quote: { metadata: expected } })
})

test('an order in a final state is cached for a minute', async () => {
  const response = await get(filledOrder)
  expect(response.headers.get('ETag')).toBe('W/"2-fulfilled"')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60, stale-while-revalidate=300')
})

test.each(['W/"1-open"', '"1-open"', '"x", W/"1-open"', '*'])('If-None-Match: %s → 304 without a body', async (tag) => {
  const response = await get(open, { ifNoneMatch: tag })
  expect(response.status).toBe(304)
  expect(await response.text()).toBe('')
  expect(response.headers.get('ETag')).toBe('W/"1-open"')
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
})

test('time alone changes the ETag: the same row, once expired', async () => {
  const response = await get(open, { ifNoneMatch: 'W/"1-open"', now: validTo + 1 })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ status: 'expired' })
})

test('an unknown order is 404, a malformed UID 400; neither is cached', async () => {
  const unknown = await get(undefined)
  expect(unknown.status).toBe(404)
  expect(await unknown.json()).toMatchObject({ errorType: 'NotFound', description: 'Order was not found' })
  expect(unknown.headers.get('Cache-Control')).toBe('no-store')
  const malformed = await get(open, { path: uid.slice(0, -1) })
  expect(malformed.status).toBe(400)
  expect(await malformed.json()).toMatchObject({ errorType: 'InvalidParameter', data: { field: 'uid' } })
  expect(malformed.headers.get('Cache-Control')).toBe('no-store')
})
