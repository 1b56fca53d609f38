import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { orderUidOf } from '#test/helpers/database/newOrder.ts'
import { postOrdersByUids } from './postOrdersByUids.ts'

const post = async (body: unknown) => {
  const asked: Hex[][] = []
  const app = postOrdersByUids({
    now: () => 0,
    selectOrders: async (uids) => {
      asked.push(uids)
      return [filledOrder]
    },
  })
  const response = await app.request('/api/v1/orders/by_uids', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json(), asked }
}

const uids = (count: number) => Array.from({ length: count }, (_, seed) => orderUidOf(seed))

test('the orders found, each UID asked for once', async () => {
  const { status, body, asked } = await post([...uids(2), ...uids(2)])
  expect(status).toBe(200)
  expect(body).toMatchObject([{ order: { uid: filledOrder.uid, status: 'fulfilled' } }])
  expect(asked).toEqual([uids(2)])
})

test('128 UIDs are accepted, and an empty list makes no query', async () => {
  expect((await post(uids(128))).status).toBe(200)
  expect(await post([])).toEqual({ status: 200, body: [], asked: [] })
})

test.each([
  ['129 UIDs', uids(129)],
  ['a malformed UID', ['0x12']],
  ['no list', { uids: [] }],
])('%s → 400', async (_name, body) => {
  const result = await post(body)
  expect([result.status, result.asked]).toEqual([400, []])
  expect(result.body).toMatchObject({ errorType: 'InvalidParameter' })
})
