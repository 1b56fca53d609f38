import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toErrorResponse } from '#shared/http/createApp.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import { createAdmission } from './createAdmission.ts'

const start = (work: () => Promise<string>, timeoutMs: number) => {
  const admit = createAdmission(timeoutMs)
  const app = new Hono()
  app.onError((error, c) => toErrorResponse(c, toApiError(error)))
  app.get('/', async (c) => c.text(await admit(c, timeoutMs, work)))
  return async (client: string) => {
    const response = await app.request('/', { headers: { 'X-Client-Key': client } })
    return { status: response.status, retryAfter: response.headers.get('Retry-After') }
  }
}
const found = { status: 200, retryAfter: null }
const refused = { status: 503, retryAfter: '1' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('leaves slots for other clients when one has many requests', async () => {
  const stuck = Promise.withResolvers<string>()
  const request = start(() => stuck.promise, 20_000)
  const greedy = Array.from({ length: 12 + 128 + 1 }, () => request('192.0.2.1'))
  expect(await greedy.at(-1)).toEqual(refused)
  const modest = request('192.0.2.2')
  stuck.resolve('found')
  await vi.advanceTimersByTimeAsync(400)
  expect(await modest).toEqual(found)
  await Promise.all(greedy)
})
