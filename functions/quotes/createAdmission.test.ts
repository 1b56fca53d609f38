import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toErrorResponse } from '#shared/http/createApp.ts'
import { toApiError } from '#shared/http/toApiError.ts'
import { createAdmission, priceWaitMs } from './createAdmission.ts'

const start = (work: () => Promise<string>, timeoutMs: number) => {
  const admit = createAdmission(timeoutMs)
  const app = new Hono()
  app.onError((error, c) => toErrorResponse(c, toApiError(error)))
  app.get('/', async (c) => c.text(await admit(c, timeoutMs, work)))
  return async (client: string) => {
    const response = await app.request('/', { headers: { 'CF-Connecting-IP': client } })
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

test('rejects a request that is still queued after half of its time, never with NoLiquidity', async () => {
  const request = start(() => new Promise(() => {}), 1_000)
  for (let i = 0; i < 12; i += 1) void request('192.0.2.1')
  const queued = request('192.0.2.2')
  await vi.advanceTimersByTimeAsync(500)
  expect(await queued).toEqual(refused)
})

test('leaves slots for other clients when one has many requests', async () => {
  const stuck = Promise.withResolvers<string>()
  const request = start(() => stuck.promise, 20_000)
  const greedy = Array.from({ length: 12 + 64 + 1 }, () => request('192.0.2.1'))
  expect(await greedy.at(-1)).toEqual(refused)
  const modest = request('192.0.2.2')
  stuck.resolve('found')
  await vi.advanceTimersByTimeAsync(200)
  expect(await modest).toEqual(found)
  await Promise.all(greedy)
})

test('a quote waits for a shorter time than a price, whose list requests many at once', async () => {
  const admit = createAdmission(20_000)
  const stuck = Promise.withResolvers<string>()
  const order: string[] = []
  const app = new Hono()
  app.onError((error, c) => toErrorResponse(c, toApiError(error)))
  app.get('/:kind', async (c) => {
    const isPrice = c.req.param('kind') === 'price'
    return c.text(await admit(c, 20_000, () => stuck.promise, ...(isPrice ? [priceWaitMs] : [])))
  })
  const request = async (kind: string) => {
    const { status } = await app.request(`/${kind}`)
    order.push(`${kind} ${status}`)
  }
  const running = Array.from({ length: 12 }, () => request('running'))
  const waiting = [request('price'), request('quote')]
  await vi.advanceTimersByTimeAsync(500)
  expect(order).toEqual(['quote 503'])
  stuck.resolve('found')
  await vi.advanceTimersByTimeAsync(20)
  await Promise.all([...running, ...waiting])
  expect(order.toSorted().slice(0, 2)).toEqual(['price 200', 'quote 503'])
})
