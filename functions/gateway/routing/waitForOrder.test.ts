import { expect, test } from 'vitest'
import { type Forward, waitForOrder } from './waitForOrder.ts'

const path = `http://edgebook.test/sepolia/api/v1/orders/0x${'12'.repeat(56)}`
const encoder = new TextEncoder()

/** An order that a test changes, with the stream of its events. */
const setUp = ({ cacheControl = 'no-cache', streamStatus = 200 } = {}) => {
  let version = 1
  let publish: (text: string) => void = () => undefined
  const opened = Promise.withResolvers<void>()
  const cancelled = Promise.withResolvers<void>()
  const requests: string[] = []
  const forward: Forward = async (request) => {
    const { pathname } = new URL(request.url)
    requests.push(pathname.endsWith('/events') ? 'events' : 'order')
    if (pathname.endsWith('/events')) {
      if (streamStatus !== 200) return Response.json({}, { status: streamStatus })
      const body = new ReadableStream({
        start: (controller) => {
          publish = (text) => controller.enqueue(encoder.encode(text))
          opened.resolve()
        },
        cancel: () => cancelled.resolve(),
      })
      return new Response(body)
    }
    const etag = `W/"${version}"`
    const headers = { ETag: etag, 'Cache-Control': cacheControl }
    if (request.headers.get('If-None-Match') === etag) return new Response(null, { status: 304, headers })
    return Response.json({ version }, { headers })
  }
  return {
    requests,
    opened: opened.promise,
    cancelled: cancelled.promise,
    change: (): void => {
      version += 1
      publish('event: order\n\n')
    },
    publish: (text: string) => publish(text),
    send: (query: string, headers: Record<string, string> = {}) =>
      waitForOrder(forward, new Request(`${path}?${query}`, { headers })),
  }
}

test('a change during the wait is sent at once, and the stream is closed', async () => {
  const order = setUp()
  const pending = order.send('wait=30')
  await order.opened
  order.publish('retry: 1\n\n')
  order.change()
  expect(await (await pending).json()).toEqual({ version: 2 })
  await order.cancelled
})

test('an order that differs from the ETag of the client is sent without waiting', async () => {
  const order = setUp()
  const response = await order.send('wait=30', { 'If-None-Match': 'W/"0"' })
  expect([response.status, order.requests]).toEqual([200, ['order']])
})

test('a change between read and stream is found by the first part of the stream', async () => {
  const order = setUp()
  const pending = order.send('wait=30', { 'If-None-Match': 'W/"1"' })
  await order.opened
  order.change()
  expect((await pending).status).toBe(200)
})

test.each([
  [{}, 200],
  [{ 'If-None-Match': 'W/"1"' }, 304],
] as const)('an unchanged order follows after the wait: headers %j, status %i', async (headers, status) => {
  const order = setUp()
  const response = await order.send('wait=0.01', headers)
  expect(response.status).toBe(status)
  await order.cancelled
})

test.each(['wait=0', 'wait=30'])('an order in a final state is sent at once with %s', async (query) => {
  const order = setUp({ cacheControl: 'public, max-age=60, stale-while-revalidate=300' })
  expect((await order.send(query)).status).toBe(200)
  expect(order.requests).toEqual(['order'])
})

test('a client with too many streams gets their refusal', async () => {
  const order = setUp({ streamStatus: 429 })
  expect((await order.send('wait=30')).status).toBe(429)
})

test('a busy order ends the wait after twenty reads', async () => {
  const order = setUp()
  const pending = order.send('wait=30', { 'If-None-Match': 'W/"1"' })
  await order.opened
  for (let i = 0; i < 30; i++) order.publish('event: ping\n\n')
  expect((await pending).status).toBe(304)
  expect(order.requests.filter((name) => name === 'order')).toHaveLength(21)
})
