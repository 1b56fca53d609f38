import { type Address, encodeAbiParameters, type Hex, pad, stringToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { codeOf, type HostileFunction } from '#test/helpers/chain/hostileCode.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { openObjects } from '#test/helpers/stack/openObjects.ts'
import { deployTestTokens, type TestTokens } from '#tools/stack/chain/contracts/deployTestTokens.ts'
import { installContract } from '#tools/stack/chain/contracts/installContract.ts'
import { tokenDetailsSchema } from './details/tokenDetailsResponse.ts'
import type { TopHolders } from './holders/findTopHolders.ts'
import tokens from './index.ts'
import type { UsdPrice } from './prices/findUsdPrice.ts'

const { HolderBook } = await import('./holders/HolderBook.ts')

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const oldToken: Address = `0x${'0d'.repeat(20)}`

let chain: TestChain
let testTokens: TestTokens
let settings: { RPC_URLS: string; PRICES: object; HOLDERS: object }
/** responses of the objects behind the routes, by name; objects in `broken` throw */
const prices = new Map<string, UsdPrice>()
const broken = new Set<string>()
let price: UsdPrice = { status: 'unknown' }
const holders = new Map<string, TopHolders>()

beforeAll(async () => {
  chain = await startTestChain()
  testTokens = await deployTestTokens(chain.chain)
  const find = async <Result>(name: string, result: Result): Promise<Result> => {
    if (broken.has(name)) throw new Error('secret: the object was reset')
    return result
  }
  const PRICES = { getByName: (name: string) => ({ findPrice: () => find(name, prices.get(name) ?? price) }) }
  const HOLDERS = {
    getByName: (name: string) => ({ findHolders: () => find(name, holders.get(name) ?? { status: 'unknown' }) }),
  }
  settings = { RPC_URLS: JSON.stringify({ sepolia: chain.rpcUrl }), PRICES, HOLDERS }
  await installContract(chain.chain, oldToken, { code: buildConstantCode(stringToHex('MKR', { size: 32 })) })
})

afterAll(() => chain.stop())

/** Bytecode that returns one word from any call. */
const buildConstantCode = (word: Hex): Hex => `0x7f${word.slice(2)}5f5260205ff3`

const send = async (path: string, init?: RequestInit, env: object = settings) => {
  const response = await tokens.fetch(new Request(`http://tokens${path}`, init), env, context)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const post = (path: string, body: unknown) =>
  send(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

test('describes a token, for its address in any case and its network by any name', async () => {
  const { address } = testTokens.USDC
  const expected = { address, name: 'USD Coin', symbol: 'USDC', decimals: 6 }
  for (const path of [
    `/11155111/tokens/${address}/details`,
    `/sepolia/tokens/0x${address.slice(2).toUpperCase()}/details`,
  ]) {
    const { status, body, headers } = await send(path)
    expect({ status, body }).toEqual({ status: 200, body: expected })
    expect(headers.get('Cache-Control')).toBe('public, max-age=300, stale-while-revalidate=3600')
    expect(headers.get('Server-Timing')).toMatch(/^rpc;.*desc="1"/)
  }
})

test.each(['-', nativeSentinel])('%s is the native token', async (token) => {
  const { body } = await send(`/sepolia/tokens/${token}/details`)
  expect(body).toEqual({ address: nativeSentinel, name: 'ETH', symbol: 'ETH', decimals: 18 })
})

test('reads bytes32 texts, and omits invalid decimals', async () => {
  const { body } = await send(`/sepolia/tokens/${oldToken}/details`)
  expect(body).toEqual({ address: oldToken, name: 'MKR', symbol: 'MKR' })
})

test('describes several tokens in one round trip, in the order of the request, without addresses that are not tokens', async () => {
  const { COW, DAI } = testTokens
  const tokenAddresses = [COW.address, zeroAddress, nativeSentinel, DAI.address, COW.address]
  const { status, body, headers } = await post('/sepolia/tokens/details', { tokenAddresses })
  expect(status).toBe(200)
  expect(body).toMatchObject(['COW', 'ETH', 'DAI', 'COW'].map((symbol) => ({ symbol })))
  expect(headers.get('Server-Timing')).toMatch(/desc="1"/)
})

test('a token that burns all gas does not block others', async () => {
  const burning: Address = `0x${'0b'.repeat(20)}`
  await installContract(chain.chain, burning, { code: '0xfe' })
  const { COW, DAI } = testTokens
  const strangers = Array.from({ length: 30 }, (_, i) => `0x${(i + 0x1000).toString(16).padStart(40, '0')}`)
  const tokenAddresses = [COW.address, burning, nativeSentinel, ...strangers, DAI.address]
  const { status, body } = await post('/sepolia/tokens/details', { tokenAddresses })
  expect(status).toBe(200)
  expect(body).toMatchObject(['COW', 'ETH', 'DAI'].map((symbol) => ({ symbol })))
  expect((await send(`/sepolia/tokens/${burning}/details`)).status).toBe(404)
})

const totalSupply = { '0x18160ddd': { returns: pad('0x1') } } as const
const textOf = (text: Hex): Hex => encodeAbiParameters([{ type: 'bytes' }], [text])
const [nameSelector, symbolSelector, decimalsSelector] = ['0x06fdde03', '0x95d89b41', '0x313ce567'] as const

test.each<[string, Record<Hex, HostileFunction>, object]>([
  [
    'a name of ten megabytes',
    {
      // an offset and a length, then ten megabytes of memory
      [nameSelector]: { runs: '0x602060005262989680602052629896c06000f3' },
      [symbolSelector]: { returns: textOf('0x4f4b') },
    },
    { symbol: 'OK' },
  ],
  ['a name that is not UTF-8', { [nameSelector]: { returns: textOf('0xff41fe') } }, { name: '\ufffdA\ufffd' }],
  ['control characters', { [symbolSelector]: { returns: textOf('0x410a0042') } }, { symbol: 'A\n\0B' }],
  ['data that is not text', { [nameSelector]: { returns: `0x${'ff'.repeat(96)}` } }, {}],
  ['a text shorter than its length field', { [nameSelector]: { returns: `${pad('0x20')}${'f'.repeat(64)}` } }, {}],
  ['decimals of 2^255', { [decimalsSelector]: { returns: `0x80${'00'.repeat(31)}` } }, {}],
  ['decimals of 255', { [decimalsSelector]: { returns: pad('0xff') } }, { decimals: 255 }],
  ['decimals of 256', { [decimalsSelector]: { returns: pad('0x0100') } }, {}],
  ['functions that burn all gas', { [nameSelector]: { runs: '0x5bfe' }, [decimalsSelector]: { runs: '0xfe' } }, {}],
])('a token with %s is described partially, together with others in one round trip', async (_, parts, rest) => {
  hostileCount += 1
  const address: Address = `0x${(0xbad000 + hostileCount).toString(16).padStart(40, '0')}`
  await installContract(chain.chain, address, { code: codeOf({ ...totalSupply, ...parts }) })
  const tokenAddresses = [testTokens.COW.address, address, testTokens.DAI.address]
  const { status, body, headers } = await post('/sepolia/tokens/details', { tokenAddresses })
  expect(status).toBe(200)
  expect(body).toMatchObject([{ symbol: 'COW' }, { address, ...rest }, { symbol: 'DAI' }])
  expect((body as unknown[])[1]).toEqual({ address, ...rest })
  expect(z.array(tokenDetailsSchema).safeParse(body).success).toBe(true)
  expect(headers.get('Server-Timing')).toMatch(/desc="1"/)
})
let hostileCount = 0

test('a token without a total supply is one, because solvers trade and price it', async () => {
  const address: Address = `0x${'0ba5'.repeat(10)}`
  await installContract(chain.chain, address, { code: codeOf({ [decimalsSelector]: { returns: pad('0x06') } }) })
  const { status, body } = await send(`/sepolia/tokens/${address}/details`)
  expect({ status, body }).toMatchObject({ status: 200, body: { decimals: 6 } })
})

test.each<[string, () => ReturnType<typeof send>, number, string]>([
  ['an account without code', () => send(`/sepolia/tokens/${zeroAddress}/details`), 404, 'Token not found'],
  ['only such accounts', () => post('/1/tokens/details', { tokenAddresses: [] }), 400, 'tokenAddresses'],
  ['no token', () => post('/sepolia/tokens/details', { tokenAddresses: [zeroAddress] }), 404, 'No tokens found'],
  ['an address that is too short', () => send('/sepolia/tokens/0x123/details'), 400, 'token: an address'],
  ['101 tokens', () => post('/sepolia/tokens/details', { tokenAddresses: Array(101).fill(zeroAddress) }), 400, '100'],
  ['an unknown network', () => send(`/atlantis/tokens/${zeroAddress}/details`), 404, 'no such route or resource'],
  ['a network that is not served', () => send(`/1/tokens/${zeroAddress}/details`), 404, 'not served here'],
  ['an unknown path', () => send('/1/tokens/-/owner'), 404, 'no such route or resource'],
])('%s', async (_, request, status, message) => {
  const response = await request()
  expect(response.status).toBe(status)
  expect(response.body).toMatchObject({ message: expect.stringContaining(message) })
  expect(response.headers.get('Cache-Control')).toBe('no-store')
})

test('a failing node is an outage, never a missing token', async () => {
  const env = { ...settings, RPC_URLS: JSON.stringify({ sepolia: 'http://127.0.0.1:9' }) }
  const { status, body, headers } = await send(`/sepolia/tokens/${testTokens.USDC.address}/details`, undefined, env)
  expect(status).toBe(503)
  expect(body).toMatchObject({ data: { dependency: 'chain', retryable: true } })
  expect(headers.get('Retry-After')).toBe('1')
})

test('readyz names its nodes, and malformed settings', async () => {
  expect((await send('/readyz')).body).toEqual({ status: 'ok', dependencies: { 'rpc-sepolia': 'ok' } })
  const base = JSON.stringify({ [networks.base.name]: chain.rpcUrl })
  const wrong = await send('/readyz', undefined, { ...settings, RPC_URLS: base })
  expect(wrong).toMatchObject({ status: 503, body: { dependencies: { 'rpc-base': 'unavailable' } } })
  const { status, body } = await send('/1/tokens/-/details', undefined, { RPC_URLS: '{"atlantis":"http://a"}' })
  expect(status).toBe(503)
  expect(JSON.stringify(body)).toContain('RPC_URLS')
})

test('a price is looked up under one name, for its network by any name and its address in any case', async () => {
  const { address } = testTokens.COW
  price = { status: 'unknown' }
  prices.set(`sepolia:${address}`, { status: 'price', price: 0.25, source: 'own' })
  prices.set(`sepolia:${nativeSentinel}`, { status: 'price', price: 2_500, source: 'own' })
  for (const path of [`/11155111/tokens/${address}`, `/sepolia/tokens/0x${address.slice(2).toUpperCase()}`]) {
    const { body, headers } = await send(`${path}/usdPrice`)
    expect(body).toEqual({ price: 0.25 })
    expect(headers.get('Cache-Control')).toBe('public, max-age=60, stale-while-revalidate=300, stale-if-error=600')
  }
  for (const token of ['-', nativeSentinel, `0x${nativeSentinel.slice(2).toUpperCase()}`])
    expect((await send(`/sepolia/tokens/${token}/usdPrice`)).body).toEqual({ price: 2_500 })
})

test.each<[UsdPrice, number, string, string, object]>([
  [{ status: 'unknown' }, 404, 'Price not found', 'public, max-age=15', { token: zeroAddress }],
  [
    { status: 'unavailable', sources: { own: 'secret', coingecko: 'throttled' } },
    503,
    'no price source answers',
    'no-store',
    { sources: ['own', 'coingecko'] },
  ],
  [
    { status: 'disputed', prices: { own: 1, coingecko: 2 } },
    503,
    'price sources contradict each other',
    'no-store',
    { prices: { own: 1, coingecko: 2 } },
  ],
])('%j → %i', async (found, status, message, cacheControl, data) => {
  price = found
  const response = await send(`/sepolia/tokens/${zeroAddress}/usdPrice`)
  expect(response).toMatchObject({ status, body: { message, data } })
  expect(response.headers.get('Cache-Control')).toBe(cacheControl)
  expect(JSON.stringify(response.body)).not.toContain('secret')
})

test('no path reads another token or network by its text', async () => {
  price = { status: 'price', price: 1, source: 'own' }
  const { address } = testTokens.DAI
  for (const path of [`/sepolia:${address}/tokens/-`, `/11155111:x/tokens/-`, `/sepolia/tokens/-:${address}`])
    expect((await send(`${path}/usdPrice`)).status).toBeGreaterThanOrEqual(400)
})

test('lists several prices with their status', async () => {
  price = { status: 'unknown' }
  const tokenAddresses = [testTokens.COW.address, zeroAddress]
  prices.set(`sepolia:${oldToken}`, { status: 'disputed', prices: {} })
  const { status, body } = await post('/sepolia/tokens/prices', { tokenAddresses: [...tokenAddresses, oldToken] })
  expect(status).toBe(200)
  expect(body).toEqual([
    { address: testTokens.COW.address, price: 0.25, status: 'price' },
    { address: zeroAddress, price: null, status: 'unknown' },
    { address: oldToken, price: null, status: 'disputed' },
  ])
  expect((await post('/1/tokens/prices', { tokenAddresses })).status).toBe(404)
})

test('a failing object is an outage of its token only', async () => {
  price = { status: 'price', price: 1, source: 'own' }
  const [lost, other] = [testTokens.DAI.address, testTokens.USDC.address]
  broken.add(`sepolia:${lost}`)
  for (const path of ['usdPrice', 'topHolders']) {
    const { status, body, headers } = await send(`/sepolia/tokens/${lost}/${path}`)
    expect([path, status, headers.get('Cache-Control')]).toEqual([path, 503, 'no-store'])
    expect(JSON.stringify(body)).not.toContain('secret')
  }
  const { body } = await post('/sepolia/tokens/prices', { tokenAddresses: [lost, other] })
  expect(body).toEqual([
    { address: lost, price: null, status: 'unavailable' },
    { address: other, price: 1, status: 'price' },
  ])
  broken.clear()
})

test.each<[object, string]>([
  [{}, 'tokenAddresses is missing: an array'],
  [{ tokenAddresses: [] }, 'tokenAddresses: at least 1 items'],
])('rejects %j in plain words', async (request, message) => {
  expect(await post('/sepolia/tokens/prices', request)).toMatchObject({ status: 400, body: { message } })
})

test('rejects 101 prices', async () => {
  const { status, body } = await post('/sepolia/tokens/prices', { tokenAddresses: Array(101).fill(zeroAddress) })
  expect({ status, body }).toMatchObject({ status: 400, body: { message: expect.stringContaining('100') } })
})

test('holders are looked up under one name, for their network by any name and their token in any case', async () => {
  const { address } = testTokens.COW
  const found = [
    { address: oldToken, balance: 2n ** 256n - 1n },
    { address: zeroAddress, balance: 1n },
  ]
  holders.set(`sepolia:${address}`, { status: 'holders', holders: found, source: 'own' })
  for (const path of [`/11155111/tokens/${address}`, `/sepolia/tokens/0x${address.slice(2).toUpperCase()}`]) {
    const { status, body, headers } = await send(`${path}/topHolders`)
    expect({ status, body }).toEqual({
      status: 200,
      body: found.map(({ balance, ...holder }) => ({ ...holder, balance: String(balance) })),
    })
    expect(headers.get('Cache-Control')).toBe('public, max-age=300, stale-while-revalidate=3600')
  }
})

test.each<[string, string, number, object, string]>([
  [
    'a token without holders',
    `/sepolia/tokens/${zeroAddress}`,
    404,
    { message: 'Token holders not found', data: { token: zeroAddress } },
    'public, max-age=15',
  ],
  ['the native token', '/sepolia/tokens/-', 404, { message: 'Token holders not found' }, 'public, max-age=15'],
  ['a network that is not served', `/1/tokens/${zeroAddress}`, 404, { data: { networks: ['sepolia'] } }, 'no-store'],
  ['an address that is too short', '/sepolia/tokens/0x12', 400, { message: /token/ }, 'no-store'],
  [
    'sources that fail',
    `/sepolia/tokens/${oldToken}`,
    503,
    { message: 'no source of token holders answers', data: { sources: ['own', 'moralis'], retryable: true } },
    'no-store',
  ],
])('holders: %s', async (_, path, expected, { message, ...rest }: { message?: unknown }, cacheControl) => {
  holders.set(`sepolia:${nativeSentinel}`, { status: 'holders', holders: [], source: 'own' })
  holders.set(`sepolia:${oldToken}`, { status: 'unavailable', sources: { own: 'secret', moralis: 'throttled' } })
  const { status, body, headers } = await send(`${path}/topHolders`)
  expect(status).toBe(expected)
  expect(body).toMatchObject(rest)
  if (message) expect((body as { message: string }).message).toMatch(message as string)
  expect(headers.get('Cache-Control')).toBe(cacheControl)
  expect(JSON.stringify(body)).not.toContain('secret')
})

test('an index of holders whose alarm the platform lost follows the chain again after the next request', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { address } = testTokens.COW
  const env = { ...settings, HOLDER_TOKENS: JSON.stringify({ sepolia: { [address]: 0 } }) }
  const books = openObjects(HolderBook, env)
  Object.assign(env, { HOLDERS: books })
  const readHolders = async () => (await send(`/sepolia/tokens/${address}/topHolders`, undefined, env)).body
  const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
  expect(await readHolders()).toHaveLength(1)
  pass(5_000)
  expect(await books.runAlarms()).toBe(1)
  books.loseAlarms()
  pass(600_000)
  expect(await books.runAlarms()).toBe(0)
  expect(await readHolders()).toHaveLength(1)
  pass(5_000)
  expect(await books.runAlarms()).toBe(1)
  pass(60_000)
  expect(await books.runAlarms()).toBe(1)
  vi.useRealTimers()
})

test.each([
  '{"atlantis":{}}',
  '{"sepolia":{"0x12":0}}',
  '{"sepolia":{"0x0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d0d":-1}}',
  'no',
])('HOLDER_TOKENS=%s is reported as malformed', async (HOLDER_TOKENS) => {
  const { status, body } = await send('/sepolia/tokens/-/details', undefined, { ...settings, HOLDER_TOKENS })
  expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining('HOLDER_TOKENS')])
})
