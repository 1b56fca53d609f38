import { expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { getNetworkOrders } from './getNetworkOrders.ts'

const { uid, owner, sellToken } = filledOrder
const path = '/api/v1/explorer/orders'

const get = async (query = '', next: typeof uid | null = null) => {
  const asked: unknown[] = []
  const app = getNetworkOrders({
    now: () => 1_800_000_000_999,
    selectNetworkOrders: async (...args) => {
      asked.push(args)
      return { orders: [filledOrder], next }
    },
  })
  return { response: await app.request(`${path}${query}`), asked }
}

test('lists orders with their status, cacheable for seconds', async () => {
  const { response, asked } = await get()
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=5')
  expect(await response.json()).toMatchObject([{ uid, owner, status: 'fulfilled' }])
  expect(asked).toEqual([[{}, { after: undefined, limit: 20, now: 1_800_000_000 }]])
  expect(response.headers.get('Link')).toBeNull()
})

test('filters and cursor reach the query in lower case, and the next page has the same filters', async () => {
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
  const query = `?status=open&partiallyFilled=true&kind=buy&token=${upper(sellToken)}&owner=${upper(owner)}&limit=7&cursor=${upper(uid)}`
  const { response, asked } = await get(query, uid)
  const filter = { status: 'open', kind: 'buy', token: sellToken, owner, isPartlyFilled: true }
  expect(asked).toEqual([[filter, { after: uid, limit: 7, now: 1_800_000_000 }]])
  expect(response.headers.get('X-Next-Cursor')).toBe(uid)
  const [, link = ''] = /^<(\?.*)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? []
  expect((await get(link)).asked).toEqual(asked)
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
  const { response, asked } = await get(`?${query}`)
  expect([response.status, asked]).toEqual([400, []])
  expect(await response.json()).toMatchObject({ errorType: 'InvalidParameter', data: { field: query.split('=')[0] } })
})
