import { expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/filledOrder.ts'
import { getAccountOrders } from './getAccountOrders.ts'

const { owner, uid } = filledOrder

const get = async (path: string) => {
  const asked: unknown[] = []
  const app = getAccountOrders({
    now: () => 0,
    selectAccountOrders: async (...args) => {
      asked.push(args)
      return [filledOrder]
    },
  })
  return { response: await app.request(`/api/v1/account/${path}`), asked }
}

test('the orders of an owner in any case, ten by default', async () => {
  const { response, asked } = await get(`0x${owner.slice(2).toUpperCase()}/orders`)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject([{ uid, status: 'fulfilled' }])
  expect(asked).toEqual([[owner, { offset: 0, limit: 10 }]])
  expect((await get(`${owner}/orders?offset=2&limit=1000`)).asked).toEqual([[owner, { offset: 2, limit: 1000 }]])
})

test.each([
  ['limit=0', 'LIMIT_OUT_OF_BOUNDS'],
  ['limit=1001', 'LIMIT_OUT_OF_BOUNDS'],
  ['limit=ten', 'InvalidParameter'],
  ['offset=-1', 'InvalidParameter'],
])('%s → 400 %s', async (query, errorType) => {
  const { response, asked } = await get(`${owner}/orders?${query}`)
  expect([response.status, asked]).toEqual([400, []])
  expect(await response.json()).toMatchObject({ errorType })
})

test('a malformed owner → 400', async () => {
  expect((await get('0x1/orders')).response.status).toBe(400)
})
