import { expect, test, vi } from 'vitest'
import { getReady } from './getReady.ts'

test('GET ready: empty while the database responds', async () => {
  const response = await getReady({ checkDatabase: async () => undefined }).request('/api/v1/ready')
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test('GET ready: 503 when the database fails, without its words', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const response = await getReady({ checkDatabase: () => Promise.reject(new Error('secret')) }).request('/api/v1/ready')
  expect(response.status).toBe(503)
  expect(await response.text()).not.toContain('secret')
})
