import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPort } from '../processes/findPort.ts'
import { startRpcProxy } from './startRpcProxy.ts'

const heard: string[] = []
const chain = createServer(async (call, response) => {
  heard.push(Buffer.concat(await call.toArray()).toString())
  response.writeHead(200, { 'Content-Type': 'application/json', 'access-control-allow-origin': '*' }).end('{"id":1}')
})
let proxy: Awaited<ReturnType<typeof startRpcProxy>>
beforeAll(async () => {
  await new Promise<void>((resolve) => chain.listen(0, '127.0.0.1', resolve))
  proxy = await startRpcProxy(
    await findPort(0, 'RPC_PORT'),
    `http://127.0.0.1:${(chain.address() as AddressInfo).port}`,
  )
})
afterAll(() => {
  proxy.stop()
  chain.closeAllConnections()
  chain.close()
})

const post = (headers: Record<string, string>) =>
  new Promise<{ status: number | undefined; text: string; origin: string | undefined }>((resolve, reject) => {
    const sent = request(proxy.rpcUrl, { method: 'POST', headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode, text, origin: response.headers['access-control-allow-origin'] })
    })
    sent.on('error', reject).end('{"method":"eth_chainId"}')
  })

test.each([
  ['a program of this machine', {}, '*'],
  ['a page of this machine', { Origin: 'http://localhost:8787' }, 'http://localhost:8787'],
  ['a wallet in the browser', { Origin: 'chrome-extension://abcdef' }, 'chrome-extension://abcdef'],
])('forwards calls of %s', async (_, headers, origin) => {
  heard.length = 0
  expect(await post(headers)).toEqual({ status: 200, text: '{"id":1}', origin })
  expect(heard).toEqual(['{"method":"eth_chainId"}'])
})

test.each([
  ['a page of another site', { Origin: 'https://evil.example' }],
  ['a name that resolves to this machine', { Host: 'evil.example:8545' }],
  ['a wallet with a foreign host', { Host: 'evil.example', Origin: 'chrome-extension://abcdef' }],
])('refuses calls of %s', async (_, headers) => {
  heard.length = 0
  expect((await post(headers)).status).toBe(403)
  expect(heard).toEqual([])
})

test('refuses WebSockets, which are not bound to an origin', async () => {
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'x',
  }
  const { status } = await post({ ...upgrade, Origin: 'https://evil.example' }).catch(() => ({ status: undefined }))
  expect([403, undefined]).toContain(status)
})
