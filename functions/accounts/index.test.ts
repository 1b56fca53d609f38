import { type Address, encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { type BadNode, startBadNode } from '#tools/stack/chain/badNode.ts'
import { deployTestTokens, type TestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { installContract } from '#tools/stack/chain/contracts/installContract.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import accounts from './index.ts'

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const account = devAccounts[7].address
const revertingToken: Address = `0x${'0d'.repeat(20)}`
const burningToken: Address = `0x${'0b'.repeat(20)}`

let chain: TestChain
let node: BadNode
let tokens: TestTokens
let settings: object
/** requests that the watch received, and its response */
let asked: { name: string; body: object } | undefined
let watch: () => Response = () => new Response('retry: 1\n\n')

beforeAll(async () => {
  chain = await startTestChain()
  node = await startBadNode(chain.rpcUrl)
  tokens = await deployTestTokens(chain.chain)
  await installContract(chain.chain, revertingToken, { code: '0x5f5ffd' })
  await installContract(chain.chain, burningToken, { code: '0xfe' })
  const args = [networks.sepolia.vaultRelayer, 12n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await sendFrom(chain.chain, account, { to: tokens.USDC.address, data })
  const WATCHES = {
    getByName: (name: string) => ({
      fetch: async (request: Request) => {
        asked = { name, body: (await request.json()) as object }
        return watch()
      },
    }),
  }
  settings = { RPC_URLS: JSON.stringify({ sepolia: node.url }), WATCHES, SLOTS: {} }
})

afterAll(async () => {
  node.close()
  await chain.stop()
})

const ask = async (path: string, init?: RequestInit, env: object = settings) => {
  node.interfere()
  asked = undefined
  const response = await accounts.fetch(new Request(`http://accounts${path}`, init), env, context)
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const pathOf = (list: string, suffix = '') => `/sepolia/accounts/${account}/balances${suffix}?tokens=${list}`
test('GET address/{address}/balances lists the balances of known tokens', async () => {
  const { status, body } = await ask(`/11155111/address/${toUpper(account)}/balances`)
  expect(status).toBe(200)
  const { usdReference } = networks.sepolia
  expect(Object.keys(body.balances).toSorted()).toEqual([usdReference.address, nativeSentinel].toSorted())
  const { wrappedNative } = networks.sepolia
  const balance = await chain.chain.getBalance({ address: account })
  expect(body.balances[nativeSentinel]).toBe(balance.toString())
  expect(body.balances).not.toHaveProperty(wrappedNative)
  expect((await ask('/sepolia/address/0x12/balances')).status).toBe(400)
  expect((await ask(`/1/address/${account}/balances`)).status).toBe(404)
})

const toUpper = (address: Address): string => `0x${address.slice(2).toUpperCase()}`

test('lists balance and allowance of each token, in the order of the request, with one call of the node', async () => {
  const { USDC, DAI } = tokens
  const list = ` ${toUpper(DAI.address)},,${USDC.address} ,${nativeSentinel},${DAI.address},`
  const { status, body, headers } = await ask(pathOf(encodeURIComponent(list)))
  expect(status).toBe(200)
  const native = await chain.chain.getBalance({ address: account })
  expect(body).toEqual([
    {
      token: { address: DAI.address, name: 'Dai Stablecoin', symbol: 'DAI', decimals: 18 },
      balance: String(10n ** 27n),
      allowance: '0',
    },
    {
      token: { address: USDC.address, name: 'USD Coin', symbol: 'USDC', decimals: 6 },
      balance: String(10n ** 15n),
      allowance: '12',
    },
    {
      token: { address: nativeSentinel, name: 'ETH', symbol: 'ETH', decimals: 18 },
      balance: String(native),
      allowance: '0',
    },
  ])
  expect(node.calls.map(({ method }) => method)).toEqual(['eth_call'])
  expect(headers.get('Cache-Control')).toBe('no-store')
  const same = await ask(`/11155111/accounts/${toUpper(account)}/balances?tokens=${USDC.address}`)
  expect(same.body).toEqual([body[1]])
})

test('a failing token stays in the list with an error and numeric amounts', async () => {
  const list = [tokens.USDC.address, revertingToken, zeroAddress, tokens.DAI.address]
  const { status, body } = await ask(pathOf(list.join()))
  expect(status).toBe(200)
  expect(body).toMatchObject([
    { token: { symbol: 'USDC' } },
    {
      token: { address: revertingToken },
      balance: '0',
      allowance: '0',
      error: expect.stringContaining('the token contract reverts'),
    },
    { token: { address: zeroAddress }, balance: '0', allowance: '0', error: 'no ERC-20 token at this address' },
    { token: { symbol: 'DAI' }, balance: String(10n ** 27n) },
  ])
  expect(body[0]).not.toHaveProperty('error')
})

test('a token that burns all gas is reported, and does not block others', async () => {
  const [first, last] = [tokens.USDC.address, tokens.DAI.address]
  const list = [first, burningToken, nativeSentinel, ...manyTokens(60).split(','), revertingToken, last]
  const { status, body } = await ask(pathOf(list.join()))
  expect(status).toBe(200)
  expect(body.map(({ token }: { token: { address: Address } }) => token.address)).toEqual(list)
  expect(body[0]).toMatchObject({ token: { symbol: 'USDC' }, balance: String(10n ** 15n), allowance: '12' })
  expect(body[1]).toMatchObject({ error: expect.stringContaining('the token contract reverts') })
  expect(body[2]).toMatchObject({ token: { symbol: 'ETH' }, balance: expect.stringMatching(/^[1-9]/) })
  expect(body[3]).toMatchObject({ error: 'no ERC-20 token at this address' })
  expect(body.at(-2)).toMatchObject({ error: expect.stringContaining('the token contract reverts') })
  expect(body.at(-1)).toMatchObject({ token: { symbol: 'DAI' }, balance: String(10n ** 27n) })
  expect(node.calls.length).toBeLessThan(20)
  const reads = node.calls.filter(({ method }) => method === 'eth_call')
  expect(new Set(reads.map(({ params }) => params[1])).size).toBe(1)
})

test('a list of tokens that burn all gas takes a bounded number of calls of the node', async () => {
  const burning = Array.from({ length: 64 }, (_, i): Address => `0x${(0xb0b000 + i).toString(16).padStart(40, '0')}`)
  await Promise.all(burning.map((address) => installContract(chain.chain, address, { code: '0xfe' })))
  const { status, body } = await ask(pathOf(burning.join()))
  expect([status, body.length]).toEqual([200, 64])
  expect(body).toMatchObject(Array(64).fill({ balance: '0', error: expect.any(String) }))
  expect(node.calls.length).toBeLessThanOrEqual(32)
})

const manyTokens = (count: number) =>
  Array.from({ length: count }, (_, i) => `0x${(i + 0x1000).toString(16).padStart(40, '0')}`).join()

test('reads 200 tokens in four calls of the node, all on one block', async () => {
  const { status, body } = await ask(pathOf(`${manyTokens(199)},${tokens.USDC.address}`))
  expect(status).toBe(200)
  expect(body).toHaveLength(200)
  expect(body[199]).toMatchObject({ token: { symbol: 'USDC' }, balance: String(10n ** 15n) })
  expect(node.calls.map(({ method }) => method)).toEqual(['eth_blockNumber', 'eth_call', 'eth_call', 'eth_call'])
  expect(new Set(node.calls.slice(1).map(({ params }) => params[1])).size).toBe(1)
})

test.each<[string, string, number, string]>([
  ['no tokens', `/sepolia/accounts/${account}/balances`, 400, 'tokens is missing'],
  ['blank tokens', pathOf('%20,,'), 400, 'At least one token address is required'],
  ['a malformed address', pathOf('0x123'), 400, 'Invalid Ethereum address: 0x123'],
  ['201 tokens', pathOf(manyTokens(201)), 400, 'at most 200 tokens, got 201'],
  ['a malformed account', `/sepolia/accounts/0x12/balances?tokens=${nativeSentinel}`, 400, 'user: an address'],
  ['an unknown network', `/atlantis/accounts/${account}/balances?tokens=${nativeSentinel}`, 404, 'no such route'],
  ['a network that is not served', `/1/accounts/${account}/balances?tokens=${nativeSentinel}`, 404, 'not served here'],
])('%s', async (_, path, status, message) => {
  for (const each of [path, path.replace('/balances', '/balances/sse')]) {
    const answer = await ask(each)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ message: expect.stringContaining(message) })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(asked).toBeUndefined()
  }
})

test('a failing node is an outage, never a missing token or balance', async () => {
  const env = { ...settings, RPC_URLS: JSON.stringify({ sepolia: 'http://127.0.0.1:9' }) }
  const { status, body, headers } = await ask(pathOf(tokens.USDC.address), undefined, env)
  expect(status).toBe(503)
  expect(body).toMatchObject({ data: { dependency: 'chain', retryable: true } })
  expect(headers.get('Retry-After')).toBe('1')
})

test('a stream comes from the watch of its account, for addresses in any case', async () => {
  watch = () => new Response('retry: 1\n\n')
  const headers = { 'Last-Event-ID': 'a-b-3', 'CF-Connecting-IP': '2001:db8:1:2:3::4' }
  const path = `/11155111/accounts/${toUpper(account)}/balances/sse?tokens=${toUpper(tokens.USDC.address)}`
  const answer = await ask(path, { headers })
  expect(answer.status).toBe(200)
  expect(answer.body).toBe('retry: 1\n\n')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  expect(asked).toEqual({
    name: `sepolia:${account}`,
    body: {
      watch: `sepolia:${account}`,
      network: 'sepolia',
      account,
      tokens: [tokens.USDC.address],
      client: '2001:db8:1:2::/64',
      lastEventId: 'a-b-3',
    },
  })
})

test('HEAD of a stream sends no request to a watch', async () => {
  const { status, headers } = await ask(pathOf(tokens.USDC.address, '/sse'), { method: 'HEAD' })
  expect({ status, type: headers.get('Content-Type') }).toEqual({ status: 200, type: 'text/event-stream' })
  expect(asked).toBeUndefined()
})

test('a stream above the limit is 429 with the limit, and a failing watch is 503', async () => {
  watch = () => Response.json({ limit: 'streamsPerClient', max: 50 }, { status: 429 })
  const refused = await ask(pathOf(tokens.USDC.address, '/sse'))
  expect(refused.status).toBe(429)
  expect(refused.headers.get('Retry-After')).toBe('30')
  expect(refused.body).toEqual({
    message: 'more than 50 streams of one client at once',
    data: { limit: 'streamsPerClient', max: 50 },
  })
  watch = () => {
    throw new Error('internal')
  }
  const failed = await ask(pathOf(tokens.USDC.address, '/sse'))
  expect(failed.status).toBe(503)
  expect(JSON.stringify(failed.body)).not.toContain('internal')
})

test('readyz names its nodes, and malformed settings', async () => {
  expect((await ask('/readyz')).body).toEqual({ status: 'ok', dependencies: { 'rpc-sepolia': 'ok' } })
  const { status, body } = await ask('/readyz', undefined, { ...settings, BALANCES_POLL_MS: '60000' })
  expect(status).toBe(503)
  expect(JSON.stringify(body)).toContain('BALANCES_POLL_MS')
})
