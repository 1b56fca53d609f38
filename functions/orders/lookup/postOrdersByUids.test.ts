import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { postOrdersByUids } from './postOrdersByUids.ts'

const { database, databaseUrl, close } = await startTestDatabase()
/** requests of the route to the database */
const sent: string[] = []
const counted = connectDatabase(databaseUrl, 20_000, (url, init) => {
  sent.push(String(init.body))
  return fetch(url, init)
})
beforeAll(() => insertOrder(database, newOrder(1)))
afterAll(close)

const post = async (body: unknown) => {
  const app = postOrdersByUids({ database: counted, chainId: networks.sepolia.chainId, now: () => 0 })
  const response = await app.request('/api/v1/orders/by_uids', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const uids = (count: number) => Array.from({ length: count }, (_, seed) => orderUidOf(seed))

test('an empty list makes no query', async () => {
  sent.length = 0
  expect(await post([])).toEqual({ status: 200, body: [] })
  expect(sent).toEqual([])
})

test('returns the orders found among 128 UIDs in one query', async () => {
  sent.length = 0
  expect(await post(uids(128))).toMatchObject({
    status: 200,
    body: [{ order: { uid: orderUidOf(1), status: 'open' } }],
  })
  expect(sent).toHaveLength(1)
})

test('finds an order by a UID without 0x, in any case', async () => {
  const found = [{ order: { uid: orderUidOf(1) } }]
  expect((await post([orderUidOf(1).slice(2)])).body).toMatchObject(found)
  expect((await post([orderUidOf(1).slice(2).toUpperCase(), orderUidOf(1)])).body).toMatchObject(found)
})

test('looks up a repeated UID once', async () => {
  sent.length = 0
  expect((await post([...uids(64), ...uids(64)])).body).toHaveLength(1)
  expect(sent[0]?.split(orderUidOf(5).slice(2))).toHaveLength(2)
})

test.each([
  ['129 UIDs', uids(129)],
  ['a malformed UID', ['0x12']],
  ['no list', { uids: [] }],
])('%s → 400', async (_name, body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { errorType: 'InvalidParameter' } })
})
