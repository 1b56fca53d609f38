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

test('runs twelve requests at once and the others after them', async () => {
  let [running, most] = [0, 0]
  const request = start(async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 20))
    running -= 1
    return 'found'
  }, 20_000)
  const responses = Promise.all(Array.from({ length: 60 }, () => request('192.0.2.1')))
  await vi.advanceTimersByTimeAsync(400)
  expect(await responses).toEqual(Array(60).fill(found))
  expect(most).toBe(12)
})

test('a request waits for its turn until only the shortest time for its work is left, never with NoLiquidity', async () => {
  const request = start(() => new Promise(() => {}), 5_000)
  for (let i = 0; i < 12; i += 1) void request('192.0.2.1')
  const queued = request('192.0.2.2')
  await vi.advanceTimersByTimeAsync(4_480)
  expect(await Promise.race([queued, 'waits'])).toBe('waits')
  await vi.advanceTimersByTimeAsync(40)
  expect(await queued).toEqual(refused)
})

test('ninety requests of one client at once get their turns', async () => {
  const request = start(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200))
    return 'found'
  }, 5_000)
  const responses = Promise.all(Array.from({ length: 90 }, () => request('192.0.2.1')))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await responses).toEqual(Array(90).fill(found))
})

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

test("requests of other Workers and of clients take none of each other's turns", async () => {
  const admit = createAdmission(20_000)
  const done: string[] = []
  const app = new Hono()
  app.get('/:kind', async (c) => {
    await admit(c, 20_000, () => new Promise<void>((resolve) => setTimeout(resolve, 100)))
    done.push(c.req.param('kind'))
    return c.text('')
  })
  const ofClient = (kind: string, client: string) => app.request(`/${kind}`, { headers: { 'X-Client-Key': client } })
  const crowd = Array.from({ length: 60 }, () => [app.request('/token'), ofClient('greedy', '192.0.2.1')]).flat()
  const modest = [app.request('/price'), ofClient('quote', '192.0.2.2')]
  await vi.advanceTimersByTimeAsync(250)
  expect(done).toEqual(expect.arrayContaining(['price', 'quote']))
  expect(done.length).toBeLessThan(40)
  await vi.advanceTimersByTimeAsync(2_000)
  await Promise.all([...crowd, ...modest])
})
