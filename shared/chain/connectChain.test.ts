import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { settlesBefore } from '#test/helpers/stack/settles.ts'
import { connectChain } from './connectChain.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const listen = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const head = JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x10' })
const json = { 'Content-Type': 'application/json' }

test('abandons a response of a hundred megabytes after ten', async () => {
  let sent = 0
  const url = await listen((_, response) => {
    const chunk = 'a'.repeat(1024 * 1024)
    response.writeHead(200, json).write('{"jsonrpc":"2.0","id":1,"result":"')
    const send = (): void => {
      while (sent < 100 && !response.destroyed) {
        sent += 1
        if (!response.write(chunk)) return void response.once('drain', send)
      }
      response.end('"}')
    }
    send()
  })
  await expect(connectChain(url).getBlockNumber()).rejects.toThrow()
  expect(sent).toBeGreaterThan(9)
  expect(sent).toBeLessThan(90)
})

test.each([
  ['no connection', (answered: number) => answered > 0],
  ['a 502', (answered: number) => answered > 0],
])('%s is tried once more', async (failure) => {
  let asked = 0
  const url = await listen((request, response) => {
    asked += 1
    if (asked > 1) return void response.writeHead(200, json).end(head)
    if (failure === 'a 502') return void response.writeHead(502).end('<html>')
    request.socket.destroy()
  })
  expect(await connectChain(url).getBlockNumber()).toBe(16n)
  expect(asked).toBe(2)
})

test.each([
  [
    'stops in the middle of its response',
    (response: { write: (text: string) => void }) => response.write(head.slice(0, 9)),
  ],
  ['fails each time', (response: { destroy: () => void }) => response.destroy()],
])('a node that %s has five seconds', async (_, answer) => {
  const url = await listen((_request, response) => {
    response.setHeader('Content-Type', 'application/json')
    answer(response)
  })
  await settlesBefore(6_500, expect(connectChain(url).getBlockNumber()).rejects.toThrow())
})
