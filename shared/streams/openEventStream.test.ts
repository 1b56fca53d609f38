import { expect, test } from 'vitest'
import { openEventStream } from './openEventStream.ts'

const open = (maxBufferedBytes: number) => {
  let left = 0
  const stream = openEventStream(maxBufferedBytes, () => (left += 1))
  return { ...stream, left: () => left }
}
const bytes = (count: number) => new Uint8Array(count)

test('delivers written bytes, and nothing after the end', async () => {
  const { body, write, end, left } = open(10)
  write(bytes(4))
  end()
  write(bytes(1))
  expect((await new Response(body).arrayBuffer()).byteLength).toBe(4)
  expect(left()).toBe(0)
})

test('drops a client with too many unread bytes, once', async () => {
  const { body, write, isDrained, left } = open(10)
  expect(isDrained()).toBe(true)
  write(bytes(10))
  expect({ left: left(), isDrained: isDrained() }).toEqual({ left: 0, isDrained: false })
  write(bytes(1))
  write(bytes(1))
  expect(left()).toBe(1)
  await expect(body.getReader().read()).rejects.toThrow('too slowly')
})

test('does not drop a client that reads', async () => {
  const { body, write, isDrained, left } = open(10)
  const reader = body.getReader()
  for (let i = 0; i < 20; i++) {
    write(bytes(9))
    await reader.read()
    expect(isDrained()).toBe(true)
  }
  expect(left()).toBe(0)
})

test('notices a disconnected client, once', async () => {
  const { body, write, drop, left } = open(10)
  await body.cancel()
  write(bytes(100))
  drop()
  expect(left()).toBe(1)
})
