import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openMarket } from './openMarket.ts'

test('a node of another chain than that of the local stack is refused by its id', async () => {
  const node = createServer((request, response) => {
    request.resume()
    response.setHeader('Content-Type', 'application/json').end('{"jsonrpc":"2.0","id":1,"result":"0x7dc4f"}')
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  const { port } = node.address() as AddressInfo
  await expect(openMarket(`http://127.0.0.1:${port}`)).rejects.toThrow(/^--rpc-url serves chain 515151: .* 11155111/)
  node.close()
  node.closeAllConnections()
})
