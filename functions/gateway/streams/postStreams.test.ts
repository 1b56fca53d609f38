import { expect, test } from 'vitest'
import { createApp } from '#shared/http/createApp.ts'
import { encodeEvent } from '#shared/streams/serverSentEvent.ts'
import { postStreams } from './postStreams.ts'

const uid = `0x${'8f'.repeat(56)}`
const order = `/sepolia/api/v1/orders/${uid}/events`
const balances = `/11155111/accounts/0x${'aa'.repeat(20)}/balances/sse?tokens=0x${'bb'.repeat(20)}`

/** A gateway whose streams the test writes. */
const setUp = (refused: Record<string, Response> = {}) => {
  const open = new Map<string, { request: Request; write: (bytes: Uint8Array) => void; end: () => void }>()
  const cancelled: string[] = []
  const app = createApp().route(
    '/',
    postStreams(() => async (request) => {
      const path = request.url.slice('http://localhost'.length)
      const body = new ReadableStream<Uint8Array>({
        start: (controller) =>
          void open.set(path, {
            request,
            write: (bytes) => controller.enqueue(bytes),
            end: () => controller.close(),
          }),
        cancel: () => void cancelled.push(path),
      })
      return refused[path] ?? new Response(body)
    }),
  )
  const post = async (paths: unknown, headers: Record<string, string> = {}) =>
    app.request('/streams', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ paths }),
    })
  return { open, cancelled, post }
}

const createEventReader = (response: Response) => {
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  return {
    next: async () => {
      const { done, value = '' } = await reader.read()
      return done ? 'end' : (JSON.parse(value.slice('data: '.length)) as unknown)
    },
    cancel: () => reader.cancel(),
  }
}

test('events of all streams have their path, and each stream is requested for the same client', async () => {
  const { open, post } = setUp()
  const response = await post([order, balances, order], { 'CF-Connecting-IP': '203.0.113.9', Accept: '*/*' })
  expect(response.headers.get('Content-Type')).toBe('text/event-stream')
  const { next } = createEventReader(response)
  expect([await next(), await next()]).toEqual([
    { path: order, event: 'open', data: {} },
    { path: balances, event: 'open', data: {} },
  ])
  const text = new TextDecoder().decode(encodeEvent({ id: '1-2', event: 'order', data: { id: 7 } }))
  for (const part of ['retry: 5000\n\n:\n\n', text.slice(0, 9), text.slice(9)]) {
    open.get(order)?.write(new TextEncoder().encode(part))
  }
  open.get(balances)?.write(encodeEvent({ event: 'ping', data: {} }))
  expect([await next(), await next()]).toContainEqual({ path: order, event: 'order', data: { id: 7 } })
  const { headers } = open.get(order)?.request ?? {}
  expect([headers?.get('CF-Connecting-IP'), headers?.get('Accept')]).toEqual(['203.0.113.9', null])
})

test('a refused stream leaves the others open, and the end of one ends all', async () => {
  const { open, cancelled, post } = setUp({ [order]: Response.json({ errorType: 'OrderNotFound' }, { status: 404 }) })
  const { next } = createEventReader(await post([order, balances]))
  expect([await next(), await next()]).toContainEqual({
    path: order,
    event: 'refused',
    data: { status: 404, body: { errorType: 'OrderNotFound' } },
  })
  open.get(balances)?.end()
  expect(await next()).toBe('end')
  expect(cancelled).toEqual([])
})

test('without a stream that opens, the response ends after the refusals', async () => {
  const refuse = () => Response.json({ errorType: 'RateLimited' }, { status: 429 })
  const { next } = createEventReader(await setUp({ [order]: refuse(), [balances]: refuse() }).post([order, balances]))
  const refusal = { event: 'refused', data: { status: 429, body: { errorType: 'RateLimited' } } }
  expect([await next(), await next(), await next()]).toEqual([
    { path: order, ...refusal },
    { path: balances, ...refusal },
    'end',
  ])
})

test('a client that leaves closes all streams, and so does one that does not read', async () => {
  const { cancelled, post, open } = setUp()
  const { next, cancel } = createEventReader(await post([order, balances]))
  await next()
  await cancel()
  await expect.poll(() => cancelled.toSorted()).toEqual([balances, order].toSorted())

  const slow = setUp()
  await slow.post([order, balances])
  for (let i = 0; i < 20; i += 1) slow.open.get(order)?.write(encodeEvent({ data: 'a'.repeat(100_000) }))
  await expect.poll(() => slow.cancelled).toContain(balances)
  expect(open.size).toBe(2)
})

test.each([
  [[]],
  [['/sepolia/api/v1/version']],
  [['/streams']],
  [['//elsewhere.example/sepolia/api/v1/orders/0x1/events']],
  [['http://elsewhere.example/']],
  [[order.slice(1)]],
  [[`http://edgebook${order}`]],
  [[` ${order}`]],
  [Array.from({ length: 17 }, (_, i) => `${order}?lastEventId=${i}`)],
])('%j is InvalidParameter', async (paths) => {
  const { open, post } = setUp()
  expect((await post(paths)).status).toBe(400)
  expect(open.size).toBe(0)
})
