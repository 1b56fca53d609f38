import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGateway } from '../createGateway.ts'
import type { LocalChains } from './connectLocalChains.ts'

type Rpc = { method: string; params: unknown[] }

/** requests that the node received, and its response */
let received: Rpc[]
let nodeResponse: object | string
const node = createServer(async (request, response) => {
  received.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
  response.end(typeof nodeResponse === 'string' ? nodeResponse : JSON.stringify(nodeResponse))
})
beforeAll(() => new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve)))
afterAll(() => new Promise((resolve) => node.close(resolve)))
beforeEach(() => {
  received = []
  nodeResponse = { jsonrpc: '2.0', id: 1, result: '0x1' }
})

const own = 'http://127.0.0.1:8787'
const localNode = () => `http://127.0.0.1:${(node.address() as AddressInfo).port}`
const createWith = (localChains: LocalChains) =>
  createGateway({ workers: {}, version: '1', localChains, log: () => undefined })

const post = async (body: unknown, headers: Record<string, string> = {}, base = own) => {
  const request = new Request(`${base}/local/sepolia/rpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const response = await createWith({ sepolia: localNode() })(request)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}
const call = (method: string, params: unknown[] = []) => post({ jsonrpc: '2.0', id: 'a', method, params })

test('forwards wallet methods to the node, and responds with the id of the client', async () => {
  const params = [{ from: '0x1', to: '0x2', data: '0x' }]
  const { status, headers, body } = await call('eth_sendTransaction', params)
  expect({ status, body }).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 'a', result: '0x1' } })
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(received).toMatchObject([{ method: 'eth_sendTransaction', params }])
})

test('returns errors of the node and null results, and no other field', async () => {
  nodeResponse = {
    jsonrpc: '2.0',
    id: 1,
    error: { code: 3, message: 'execution reverted', data: '0x08' },
    trace: 'at x',
  }
  expect((await call('eth_estimateGas', [{}])).body).toEqual({
    ...{ jsonrpc: '2.0', id: 'a' },
    error: { code: 3, message: 'execution reverted', data: '0x08' },
  })
  nodeResponse = { jsonrpc: '2.0', id: 1, result: null, debug: 'x' }
  expect((await call('eth_getTransactionReceipt', ['0x'])).body).toEqual({ jsonrpc: '2.0', id: 'a', result: null })
})

test('eth_requestAccounts returns the unlocked accounts', async () => {
  nodeResponse = { result: ['0x1'] }
  expect((await call('eth_requestAccounts')).body.result).toEqual(['0x1'])
  expect(received).toMatchObject([{ method: 'eth_accounts' }])
})

test.each(['anvil_setBalance', 'evm_revert', 'eth_sendRawTransaction', 'debug_traceTransaction', 'constructor', ''])(
  'does not forward %j to the node',
  async (method) => {
    expect((await call(method)).body).toMatchObject({ id: 'a', error: { code: -32_601 } })
    expect(received).toEqual([])
  },
)

test('switches only to its own chain, without a request to the node', async () => {
  expect((await call('wallet_switchEthereumChain', [{ chainId: '0xAA36A7' }])).body.result).toBe(null)
  for (const params of [[{ chainId: '0x1' }], [{ chainId: 11_155_111 }], [], ['0xaa36a7']])
    expect((await call('wallet_switchEthereumChain', params)).body).toMatchObject({ error: { code: 4_902 } })
  expect(received).toEqual([])
})

test.each([
  ['its own page', own, own, 200],
  ['its own page at localhost', 'http://localhost:8787', 'http://localhost:8787', 200],
  ['a program', own, undefined, 200],
  ['a page at another port', own, 'http://127.0.0.1:3000', 403],
  ['a page of another site', own, 'https://example.com', 403],
  ['a page without an origin', own, 'null', 403],
  ['a page whose host name resolves to this machine', 'http://evil.example:8787', 'http://evil.example:8787', 403],
  ['a program that uses another host name', 'http://evil.example:8787', undefined, 403],
])('%s', async (_, base, origin, status) => {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_accounts' }
  const response = await post(request, origin === undefined ? {} : { Origin: origin }, base)
  expect(response.status).toBe(status)
  expect(received).toHaveLength(status === 200 ? 1 : 0)
  if (status === 403) expect(response.body).toMatchObject({ errorType: 'Forbidden' })
})

test.each([
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'eth_accounts' }], {}, 400],
  ['no method', { jsonrpc: '2.0', id: 1 }, {}, 400],
  ['another version', { jsonrpc: '1.0', id: 1, method: 'eth_accounts' }, {}, 400],
  ['no JSON', 'eth_accounts', {}, 400],
  ['a form', '{}', { 'Content-Type': 'text/plain' }, 415],
  ['a long body', { jsonrpc: '2.0', id: 1, method: 'eth_call', params: ['x'.repeat(65_536)] }, {}, 413],
])('rejects %s', async (_, body, headers, status) => {
  expect((await post(body, headers)).status).toBe(status)
  expect(received).toEqual([])
})

test.each(['no JSON', '{"jsonrpc":"2.0","id":1}', '[]'])('rejects the node response %j', async (text) => {
  nodeResponse = text
  const { status, body } = await call('eth_chainId')
  expect({ status, body }).toMatchObject({ status: 503, body: { errorType: 'ServiceUnavailable' } })
})

test('without local chains the route is missing, also from the OpenAPI document', async () => {
  const send = (chains: LocalChains, path: string, method = 'GET') =>
    createWith(chains)(new Request(own + path, { method }))
  expect((await send({}, '/local/sepolia/rpc', 'POST')).status).toBe(404)
  expect((await send({ sepolia: localNode() }, '/local/mainnet/rpc', 'POST')).status).toBe(400)
})
