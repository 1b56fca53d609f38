import { expect, test } from 'vitest'
import { createApp } from '#shared/http/createApp.ts'
import { readBoundedBody } from './readBoundedBody.ts'

const app = createApp()
app.use(readBoundedBody())
app.all('*', async (c) => {
  const body = await c.req.raw.arrayBuffer()
  return c.json({ size: body.byteLength, text: new TextDecoder().decode(body.slice(0, 20)), method: c.req.raw.method })
})

/** A body that counts the bytes read from it. */
const stream = (chunks: number, bytes: number) => {
  let taken = 0
  const body = new ReadableStream({
    pull: (controller) => {
      if (taken === chunks) return controller.close()
      taken += 1
      controller.enqueue(new Uint8Array(bytes).fill(97))
    },
  })
  return { body, countTaken: () => taken }
}

const post = (body: string | ReadableStream) =>
  app.fetch(new Request('http://edgebook.test/x', { method: 'POST', body, duplex: 'half' } as RequestInit))

test('a body reaches the route unchanged', async () => {
  expect(await (await post('{"a":1}')).json()).toEqual({ size: 7, text: '{"a":1}', method: 'POST' })
  expect(await (await post(stream(256, 1_024).body)).json()).toMatchObject({ size: 262_144 })
})

test('a body above the limit is rejected after it was read', async () => {
  const { body, countTaken } = stream(257, 1_024)
  const response = await post(body)
  expect([response.status, countTaken()]).toEqual([413, 257])
  expect(await response.json()).toMatchObject({ errorType: 'PayloadTooLarge', data: { maxBytes: 262_144 } })
})

test('an endless body is rejected', async () => {
  const { body, countTaken } = stream(Number.POSITIVE_INFINITY, 65_536)
  expect((await post(body)).status).toBe(413)
  expect(countTaken()).toBeLessThan(70)
})

test('a request without a body passes', async () => {
  const response = await app.fetch(new Request('http://edgebook.test/x'))
  expect(await response.json()).toEqual({ size: 0, text: '', method: 'GET' })
})

test('a slow body is rejected after the deadline', async () => {
  const slow = createApp()
  slow.use(readBoundedBody(100))
  slow.all('*', (c) => c.text('never'))
  let isCancelled = false
  const body = new ReadableStream({
    pull: async (controller) => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      if (!isCancelled) controller.enqueue(new Uint8Array(1))
    },
    cancel: () => {
      isCancelled = true
    },
  })
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit
  const response = await slow.fetch(new Request('http://edgebook.test/x', init))
  expect(response.status).toBe(408)
  expect(await response.json()).toMatchObject({ errorType: 'RequestTimeout', data: { maxMs: 100 } })
  expect(isCancelled).toBe(true)
})
