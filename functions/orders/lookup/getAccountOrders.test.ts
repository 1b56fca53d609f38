import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getAccountOrders } from './getAccountOrders.ts'

const { owner } = newOrder(0)
const { database, close } = await startTestDatabase()
afterAll(close)

const signed = [3, 2, 1].map((seed) => orderUidOf(seed))
const unsigned = [13, 12, 11].map((seed) => orderUidOf(seed))

beforeAll(async () => {
  const at = (seed: number) => ({ createdAt: new Date(seed * 1_000) })
  for (const seed of [1, 2, 3]) await storeOrder(database, newOrder(seed, at(seed)))
  for (const seed of [11, 12, 13]) {
    await storeOrder(database, newOrder(seed, { ...at(seed), signingScheme: 'presign', signature: '0x' }))
  }
})

const get = async (path: string) => {
  const app = getAccountOrders({ database, chainId: networks.sepolia.chainId, now: () => 0 })
  const response = await app.request(`/api/v1/account/${path}`)
  const body = await response.json()
  const uids = Array.isArray(body) ? body.map(({ uid }) => uid) : []
  return { status: response.status, headers: response.headers, body, uids }
}

test('lists the orders of an owner, whose address may be in any case, ten by default', async () => {
  const { status, body, uids } = await get(`0x${owner.slice(2).toUpperCase()}/orders`)
  expect(status).toBe(200)
  expect(uids).toEqual([...signed, ...unsigned])
  expect(body).toMatchObject([{ status: 'open' }, {}, {}, { status: 'presignaturePending' }, {}, {}])
  expect((await get(`${owner}/orders?offset=2&limit=1000`)).uids).toEqual([...signed, ...unsigned].slice(2))
  const others = Array.from({ length: 11 }, (_, seed) => newOrder(seed, { owner: `0x${'0e'.repeat(20)}` }))
  for (const order of others) await storeOrder(database, order)
  expect((await get(`0x${'0e'.repeat(20)}/orders`)).uids).toHaveLength(10)
})

test('every page but the last one links to the next one', async () => {
  const { uids, headers } = await get(`${owner}/orders?limit=2`)
  expect(uids).toEqual(signed.slice(0, 2))
  expect(headers.get('X-Next-Cursor')).toBe(uids[1])
  const [, target = '', relation] = /^<(.*)>; (.*)$/.exec(headers.get('Link') ?? '') ?? []
  expect(relation).toBe('rel="next"')
  const next = new URL(target, 'https://example.org/sepolia/api/v1/account/0x1/orders?limit=2&offset=4')
  expect(next.pathname + next.search).toBe(`/sepolia/api/v1/account/0x1/orders?limit=2&cursor=${uids[1]}`)
  expect((await get(`${owner}/orders${next.search}`)).uids).toEqual([signed[2], unsigned[0]])

  const last = await get(`${owner}/orders?limit=6`)
  expect(last.uids).toHaveLength(6)
  expect([last.headers.get('Link'), last.headers.get('X-Next-Cursor')]).toEqual([null, null])
})

test.each([
  ['true', signed],
  ['false', unsigned],
])('the part of the list with signed=%s, and its next page', async (part, expected) => {
  const { uids, headers } = await get(`${owner}/orders?limit=1&signed=${part}`)
  expect(uids).toEqual(expected.slice(0, 1))
  expect(headers.get('Link')).toBe(`<?limit=1&cursor=${expected[0]}&signed=${part}>; rel="next"`)
  expect((await get(`${owner}/orders?signed=${part}&cursor=${expected[0]}`)).uids).toEqual(expected.slice(1))
})

test.each([
  ['signed=1', 'InvalidParameter'],
  ['limit=0', 'LIMIT_OUT_OF_BOUNDS'],
  ['limit=1001', 'LIMIT_OUT_OF_BOUNDS'],
  ['limit=ten', 'InvalidParameter'],
  ['offset=-1', 'InvalidParameter'],
  ['offset=10001', 'InvalidParameter'],
  ['cursor=0x12', 'InvalidParameter'],
])('%s → 400 %s', async (query, errorType) => {
  expect(await get(`${owner}/orders?${query}`)).toMatchObject({ status: 400, body: { errorType } })
})

test('a malformed owner → 400', async () => {
  expect((await get('0x1/orders')).status).toBe(400)
})
