import { expect, test } from 'vitest'
import { postWake } from './postWake.ts'

test('wakes the clock on POST and responds with JSON', async () => {
  let woken = 0
  const app = postWake({
    wake: async () => {
      woken += 1
    },
  })
  const response = await app.request('/wake', { method: 'POST' })
  expect([response.status, await response.json(), woken]).toEqual([200, { status: 'ok' }, 1])
  expect((await app.request('/wake')).status).toBe(404)
  expect(woken).toBe(1)
})
