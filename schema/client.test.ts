import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { toApiError } from '#shared/http/toApiError.ts'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { connectDatabase } from './client.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const listen = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `postgres://user:password@127.0.0.1:${(server.address() as AddressInfo).port}/database`
}

const json = { 'Content-Type': 'application/json' }
const half = '{"fields":[],"rows":['

const faults: [string, RequestListener][] = [
  ['refuses connections', (request) => request.socket.destroy()],
  ['never answers', () => undefined],
  ['stops in the middle of its rows', (_, response) => void response.writeHead(200, json).write(half)],
  [
    'breaks off in the middle of its rows',
    (_, response) => void response.writeHead(200, json).write(half, () => response.destroy()),
  ],
  ['has too many clients', (_, response) => void response.writeHead(429).end('{"message":"too many"}')],
  ['answers 502', (_, response) => void response.writeHead(502).end('<html>')],
]

test.each(faults)('a database that %s is ServiceUnavailable in time, without its address', async (_, listener) => {
  const database = connectDatabase(await listen(listener), 300)
  const failure = database.execute(sql`select 1`).then(
    () => undefined,
    (reason: unknown) => toApiError(reason),
  )
  const error = await settlesBefore(2_000, failure)
  expect(error).toMatchObject({ errorType: 'ServiceUnavailable', data: { dependency: 'database', retryable: true } })
  expect(JSON.stringify(error?.context)).not.toMatch(/password|127\.0\.0\.1/)
})
