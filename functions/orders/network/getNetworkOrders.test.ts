import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getNetworkOrders } from './getNetworkOrders.ts'

const { owner, sellToken } = newOrder(0)
const { database, close } = await startTestDatabase()
afterAll(close)

beforeAll(async () => {
  const partly = {
    kind: 'buy',
    partiallyFillable: true,
    buyAmount: 10n,
    executedSellAmount: 4n,
    executedBuyAmount: 4n,
  } as const
  const at = (seed: number) => ({ createdAt: new Date(seed * 1_000) })
  for (const seed of [1, 2, 3]) await storeOrder(database, newOrder(seed, { ...at(seed), ...partly }))
  const filled = { sellAmount: 10n, executedSellAmount: 10n }
  await storeOrder(database, newOrder(4, { ...at(4), ...filled, owner: `0x${'0e'.repeat(20)}` }))
})

const get = async (query = '') => {
  const app = getNetworkOrders({ database, chainId: networks.sepolia.chainId, now: () => 1_800_000_000_999 })
  const response = await app.request(`/api/v1/explorer/orders${query}`)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

test('lists orders with their status, cacheable for seconds', async () => {
  const { status, headers, body } = await get()
  expect(status).toBe(200)
  expect(headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(body).toMatchObject([{ status: 'fulfilled' }, { uid: orderUidOf(3), owner, status: 'open' }, {}, {}])
  expect(headers.get('Link')).toBeNull()
})

test('applies filters and cursor in any case, and the next page has the same filters', async () => {
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
  const filter = `status=open&partiallyFilled=true&kind=buy&token=${upper(sellToken)}&owner=${upper(owner)}`
  const { headers, body } = await get(`?${filter}&limit=1&cursor=${upper(orderUidOf(3))}`)
  expect(body).toMatchObject([{ uid: orderUidOf(2) }])
  expect(headers.get('X-Next-Cursor')).toBe(orderUidOf(2))
  const [, link = ''] = /^<(\?.*)>; rel="next"$/.exec(headers.get('Link') ?? '') ?? []
  const query = new URLSearchParams(link)
  query.delete('cursor')
  expect(query.toString()).toBe(`${filter}&limit=1`)
  expect((await get(link)).body).toMatchObject([{ uid: orderUidOf(1) }])
})

test.each([
  'status=fulfilled&owner=0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  'status=fulfilled&partiallyFilled=true',
  'status=fulfilled&kind=buy',
  'token=0x00000000000000000000000000000000000000ab',
])('%s excludes the orders that do not match', async (query) => {
  expect((await get(`?${query}`)).body).toEqual([])
})

test.each([
  'status=ended',
  'partiallyFilled=yes',
  'kind=both',
  'token=0x12',
  'owner=me',
  'limit=0',
  'limit=101',
  'limit=1e1',
  'cursor=0x12',
])('%s is refused', async (query) => {
  const { status, body } = await get(`?${query}`)
  expect(status).toBe(400)
  expect(body).toMatchObject({ errorType: 'InvalidParameter', data: { field: query.split('=')[0] } })
})
