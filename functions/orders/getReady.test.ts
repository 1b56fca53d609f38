import { afterAll, expect, test, vi } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getReady } from './getReady.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

test('GET ready is 200 without a body while the database responds', async () => {
  const response = await getReady(database).request('/api/v1/ready')
  expect([response.status, await response.text()]).toEqual([200, ''])
})

test("GET ready is 503 without the database's message when the database fails", async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const failing = connectDatabase('postgres://u:p@127.0.0.1/none', 1_000, () => Promise.reject(new Error('secret')))
  const response = await getReady(failing).request('/api/v1/ready')
  expect(response.status).toBe(503)
  expect(await response.text()).not.toContain('secret')
})
