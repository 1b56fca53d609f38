import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { postBounded } from './postBounded.ts'

const maxBytes = 1_000
/** buffers of the sockets may take this much beyond what is read */
const maxSent = 32 * 1024 * 1024

let server: Server | undefined
afterEach(() => server?.close())

/** A server whose response never ends. @returns its port and the bytes sent until the client left */
const startEndless = async () => {
  const left = Promise.withResolvers<number>()
  server = createServer((request, response) => {
    request.resume()
    response.writeHead(200)
    const chunk = Buffer.alloc(64 * 1024, 'a')
    let sent = 0
    const send = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length
      sent += chunk.length
    }
    response.on('drain', send)
    response.on('close', () => left.resolve(sent))
    send()
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, left: left.promise }
}

test.each([
  ['nothing', undefined],
  [`up to ${maxBytes} bytes`, maxBytes],
])('reads %s of a response that never ends', async (_name, bytes) => {
  const { port, left } = await startEndless()
  const answer = await postBounded({ url: `http://127.0.0.1:${port}`, headers: {}, body: '{}', maxBytes: bytes })
  expect(answer).toEqual({ status: 200, retryAfterMs: undefined, body: undefined })
  expect(await left).toBeLessThan(maxSent)
})
