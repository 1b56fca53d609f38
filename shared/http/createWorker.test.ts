import { createRoute, z } from '@hono/zod-openapi'
import { afterEach, expect, test, vi } from 'vitest'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { measureRoundTrip } from '../logging/serverTiming.ts'
import { createApp } from './createApp.ts'
import { createWorker, type Probe } from './createWorker.ts'
import { ApiError } from './errors.ts'
import { NotReadyError } from './NotReadyError.ts'

afterEach(() => vi.restoreAllMocks())

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const route = createRoute({
  method: 'get',
  path: '/orders/{uid}',
  request: { params: z.object({ uid: z.string() }) },
  responses: { 200: { description: 'done' } },
})

const setUp = ({
  work = async () => undefined,
  probes = {},
}: {
  work?: () => Promise<unknown>
  probes?: Record<string, Probe>
}) => {
  const worker = createWorker({
    settings: z.object({}),
    routes: () => [
      createApp().openapi(route, async (c) => {
        await work()
        return c.body(null, 200)
      }),
    ],
    probes: () => probes,
  })
  const env = {}
  return (path: string, headers: Record<string, string> = {}) =>
    worker.fetch(new Request(`http://worker.test${path}`, { headers }), env, context)
}

test('readyz waits two seconds for a dependency, and names an unavailable one without its error text', async () => {
  const ask = setUp({
    probes: {
      database: async () => 1,
      rpc: () => new Promise(() => undefined),
      clock: () => Promise.reject(new Error('at secret')),
    },
  })
  const response = await settlesBefore(3_500, ask('/readyz'))
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    status: 'unavailable',
    dependencies: { database: 'ok', rpc: 'unavailable', clock: 'unavailable' },
  })
})

test('readyz shows the message of a NotReadyError as the reason', async () => {
  const ask = setUp({ probes: { rpc: async () => 1, funds: () => Promise.reject(new NotReadyError('0 wei')) } })
  expect(await (await ask('/readyz')).json()).toEqual({
    status: 'unavailable',
    dependencies: { rpc: 'ok', funds: 'unavailable' },
    reasons: { funds: '0 wei' },
  })
})

test('logs an error as one line with request id and route, without text from a client or a provider', async () => {
  const lines: string[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  const ask = setUp({
    work: () => Promise.reject(new ApiError('ServiceUnavailable', { context: { cause: 'https://rpc.example/key' } })),
  })
  await Promise.all(
    ['1', '2'].map((id) => ask(`/orders/secret?key=secret`, { 'X-Request-Id': id, Authorization: 'secret' })),
  )
  const entry = { message: 'ServiceUnavailable', method: 'GET', route: '/orders/{uid}', cause: 'https://…' }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...entry, requestId: '1' },
    { ...entry, requestId: '2' },
  ])
})

test('counts a round trip from its start, even when it is not awaited', async () => {
  const ask = setUp({
    work: async () => {
      await measureRoundTrip('db', async () => undefined)
      void measureRoundTrip('rpc', () => new Promise(() => undefined))
    },
  })
  const timing = (await ask('/orders/1')).headers.get('Server-Timing')
  expect(timing).toMatch(/^db;dur=[\d.]+;desc="1", rpc;dur=0\.0;desc="1"$/)
})
