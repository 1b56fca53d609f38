import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { queryChain } from './queryChain.ts'

const startNode = async (limited: number, body = '{"jsonrpc":"2.0","id":1,"result":"0x1"}') => {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume()
    calls += 1
    response.writeHead(calls <= limited ? 429 : 200, { 'Content-Type': 'application/json' })
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, count: () => calls, [Symbol.dispose]: () => server.close() && server.closeAllConnections() }
}

test('a node that limits requests is queried again, at most twice', async () => {
  using busy = await startNode(2)
  expect(await queryChain(busy.url, 'eth_chainId', [], 0)).toEqual({ kind: 'result', result: '0x1' })
  using closed = await startNode(9)
  expect(await queryChain(closed.url, 'eth_chainId', [], 0)).toMatchObject({ kind: 'failed' })
  expect([busy.count(), closed.count()]).toEqual([3, 3])
})

test('another service is no node', async () => {
  using other = await startNode(0, '{"name":"edgebook"}')
  expect(await queryChain(other.url, 'eth_chainId', [])).toEqual({
    kind: 'failed',
    message: 'the response is not JSON-RPC',
  })
})
