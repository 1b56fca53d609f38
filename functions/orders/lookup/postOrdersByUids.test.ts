import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { postOrdersByUids } from './postOrdersByUids.ts'

const { database, statements, close } = await startTestDatabase()
beforeAll(() => insertOrder(database, newOrder(1)))
afterAll(close)

const post = async (body: unknown) => {
  const app = postOrdersByUids({ database, chainId: networks.sepolia.chainId, now: () => 0 })
  const response = await app.request('/api/v1/orders/by_uids', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const uids = (count: number) => Array.from({ length: count }, (_, seed) => orderUidOf(seed))

test('an empty list makes no query', async () => {
  const before = statements.size
  expect(await post([])).toEqual({ status: 200, body: [] })
  expect(statements.size).toBe(before)
})

test('the orders found among up to 128 UIDs, each once', async () => {
  expect(await post([...uids(64), ...uids(64)])).toMatchObject({
    status: 200,
    body: [{ order: { uid: orderUidOf(1), status: 'open' } }],
  })
})

test.each([
  ['129 UIDs', uids(129)],
  ['a malformed UID', ['0x12']],
  ['no list', { uids: [] }],
])('%s → 400', async (_name, body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { errorType: 'InvalidParameter' } })
})
