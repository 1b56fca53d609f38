import { expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { getAccountOrders } from './getAccountOrders.ts'

const { owner, uid } = filledOrder

const get = async (path: string, found = [filledOrder]) => {
  const asked: unknown[] = []
  const app = getAccountOrders({
    now: () => 0,
    selectAccountOrders: async (...args) => {
      asked.push(args)
      return found
    },
  })
  return { response: await app.request(`/api/v1/account/${path}`), asked }
}

test('the orders of an owner in any case, ten by default', async () => {
  const { response, asked } = await get(`0x${owner.slice(2).toUpperCase()}/orders`)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject([{ uid, status: 'fulfilled' }])
  // one more than the page, to know whether there is a next one
  expect(asked).toEqual([[owner, { offset: 0, limit: 11 }]])
  expect((await get(`${owner}/orders?offset=2&limit=1000`)).asked).toEqual([[owner, { offset: 2, limit: 1001 }]])
})

test('every page but the last one links to the next one', async () => {
  const uids = [orderUidOf(1), orderUidOf(2), orderUidOf(3)]
  const found = uids.map((each) => ({ ...filledOrder, uid: each }))
  const { response } = await get(`${owner}/orders?limit=2`, found)
  expect(await response.json()).toMatchObject([{ uid: uids[0] }, { uid: uids[1] }])
  expect(response.headers.get('X-Next-Cursor')).toBe(uids[1])
  const [, target = '', relation] = /^<(.*)>; (.*)$/.exec(response.headers.get('Link') ?? '') ?? []
  expect(relation).toBe('rel="next"')
  const next = new URL(target, 'https://example.org/sepolia/api/v1/account/0x1/orders?limit=2&offset=4')
  expect(next.pathname + next.search).toBe(`/sepolia/api/v1/account/0x1/orders?limit=2&cursor=${uids[1]}`)
  const { asked } = await get(`${owner}/orders${next.search}`)
  expect(asked).toEqual([[owner, { offset: 0, limit: 3, after: uids[1] }]])

  const last = await get(`${owner}/orders?limit=3`, found)
  expect(await last.response.json()).toHaveLength(3)
  expect([last.response.headers.get('Link'), last.response.headers.get('X-Next-Cursor')]).toEqual([null, null])
})

test('one part of the list, and its next page', async () => {
  const found = [1, 2].map((seed) => ({ ...filledOrder, uid: orderUidOf(seed) }))
  for (const signed of [true, false]) {
    const { response, asked } = await get(`${owner}/orders?limit=1&signed=${signed}`, found)
    expect(asked).toEqual([[owner, { offset: 0, limit: 2, signed }]])
    expect(response.headers.get('Link')).toBe(`<?limit=1&cursor=${orderUidOf(1)}&signed=${signed}>; rel="next"`)
  }
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
  const { response, asked } = await get(`${owner}/orders?${query}`)
  expect([response.status, asked]).toEqual([400, []])
  expect(await response.json()).toMatchObject({ errorType })
})

test('a malformed owner → 400', async () => {
  expect((await get('0x1/orders')).response.status).toBe(400)
})
