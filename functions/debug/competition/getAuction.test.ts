import { expect, test } from 'vitest'
import { getAuction } from './getAuction.ts'

test('returns the newest auction', async () => {
  const auction = { id: 3, block: 12, orders: [{ uid: '0xab' }], prices: { '0xcd': '10' } }
  const response = await getAuction({ findCurrentAuction: async () => auction }).request('/api/v1/auction')
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(await response.json()).toEqual({ ...auction, surplusCapturingJitOrderOwners: [] })
})

test('is 404 before the first auction', async () => {
  const response = await getAuction({ findCurrentAuction: async () => undefined }).request('/api/v1/auction')
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ errorType: 'NotFound', description: 'There is no active auction' })
})
