import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { queryChain } from './queryChain.ts'

const startNode = async (limited: number) => {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume()
    calls += 1
    response.writeHead(calls <= limited ? 429 : 200, { 'Content-Type': 'application/json' })
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
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
