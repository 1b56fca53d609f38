import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, encodeAbiParameters } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { networks } from '#shared/networks.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import worker from './index.ts'

const { wrappedNative } = networks.sepolia
const usd: Address = '0x1000000000000000000000000000000000000001'
const address: Address = '0x5000000000000000000000000000000000000005'

let database: TestDatabase
let solver: RunningSolver
const noResults = encodeAbiParameters([{ type: 'bytes32[]' }], [[]])
/** a node of a chain whose gas costs 2 gwei, and without contracts */
const node = createServer(async (request, response) => {
  const { id, method } = JSON.parse(Buffer.concat(await request.toArray()).toString())
  const result = {
    // 1.6 gwei, 1.8 in the next block
    eth_getBlockByNumber: { baseFeePerGas: '0x5f5e1000', transactions: [] },
    eth_maxPriorityFeePerGas: '0xbebc200',
    eth_chainId: '0xaa36a7',
    eth_call: noResults,
  }[method as string]
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
})

beforeAll(async () => {
  database = await startTestDatabase()
  solver = await startSolver(
    'direct',
    quotingAt({ [wrappedNative]: 10n ** 18n, [usd]: 5n * 10n ** 26n }, { gas: 100_000 }),
  )
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await solver.stop()
  await database.close()
  node.closeAllConnections()
  await new Promise((resolve) => node.close(resolve))
})

const envOf = (changes: object = {}) => ({
  NETWORK: 'sepolia',
  DATABASE_URL: database.databaseUrl,
  RPC_URL: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
  SOLVERS: JSON.stringify([{ name: 'direct', address, url: solver.solver.baseUrl }]),
  ...changes,
})
const context = { waitUntil() {}, passThroughOnException() {}, props: {} } as unknown as Parameters<
  typeof worker.fetch
>[2]
const fetchFrom = async (env: object, path: string, init?: RequestInit) => {
  const response = await worker.fetch(new Request(`http://quotes${path}`, init), env, context)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}
const quote = (fields: object = {}) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    sellToken: usd,
    buyToken: wrappedNative,
    from: '0x3000000000000000000000000000000000000003',
    kind: 'sell',
    sellAmountBeforeFee: '1000000000',
    ...fields,
  }),
})

describe('the quotes Worker', () => {
  test('a quote takes one database round trip and three to the chain: balance word, verification and funds', async () => {
    const env = envOf()
    // pauses, gas price and the proof of the token are read once and cached
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const first = await fetchFrom(env, '/api/v1/quote', quote({ sellAmountBeforeFee: '1000' }))
    expect(first.headers.get('Server-Timing')).toMatch(/(^|, )db;dur=[\d.]+;desc="1"/)
    const { status, headers, body } = await fetchFrom(env, '/api/v1/quote', quote())
    vi.useRealTimers()
    expect(status).toBe(200)
    expect(body.id).toEqual(expect.any(Number))
    expect(headers.get('Cache-Control')).toBe('no-store')
    const timing = headers.get('Server-Timing')
    expect(timing).toMatch(/(^|, )db;dur=[\d.]+;desc="1"/)
    expect(timing).toMatch(/(^|, )rpc;dur=[\d.]+;desc="3"/)
    expect(timing).toMatch(/(^|, )solver;dur=[\d.]+;desc="3"/)
  })

  test('returns other Workers the amounts of a trade after all fees, cached for seconds', async () => {
    const env = envOf()
    const priced = await fetchFrom(env, '/executable-price', quote())
    const quoted = (await fetchFrom(env, '/api/v1/quote', quote())).body
    const { amounts, quote: terms } = quoted as { amounts: { afterPartnerFee: object }; quote: { feeAmount: string } }
    expect(priced).toMatchObject({
      status: 200,
      body: { ...amounts.afterPartnerFee, networkFee: terms.feeAmount },
    })
    const again = await fetchFrom(env, '/executable-price', quote())
    expect([again.body, again.headers.get('Server-Timing')]).toEqual([priced.body, null])
  })

  test.each([
    ['an amount that does not cover the fee', { sellAmountBeforeFee: '1000' }, { fault: 'SellAmountDoesNotCoverFee' }],
    ['a token without a price', { sellToken: address }, { missing: 'sellToken' }],
    ['a rule that it breaks', { buyToken: usd }, { unknown: 'SameBuyAndSellToken' }],
  ])('reports %s to other Workers', async (_, fields, expected) => {
    const { status, body } = await fetchFrom(envOf(), '/executable-price', quote(fields))
    expect([status, body]).toMatchObject([200, expected])
  })

  test('metadata of a token takes one trip to the database', async () => {
    const { status, headers, body } = await fetchFrom(envOf(), `/api/v1/token/${usd}/metadata`)
    expect({ status, body }).toEqual({ status: 200, body: { firstTradeBlock: null, nativePrice: null } })
    expect(headers.get('Server-Timing')).toMatch(/^db;dur=[\d.]+;desc="1"$/)
  })

  test('the tokens of a picker take one trip to the database, and one to the chain for those that are listed', async () => {
    const { status, headers, body } = await fetchFrom(envOf({ LISTED_TOKENS: usd }), '/api/v1/tokens')
    // the node here knows no contract
    expect({ status, type: body.errorType }).toEqual({ status: 503, type: 'ServiceUnavailable' })
    const timing = headers.get('Server-Timing')
    expect(timing).toMatch(/(^|, )db;dur=[\d.]+;desc="1"/)
    expect(timing).toMatch(/(^|, )rpc;dur=[\d.]+;desc="1"/)
    const withoutNode = await fetchFrom(envOf({ RPC_URL: 'http://127.0.0.1:1' }), '/api/v1/tokens')
    expect(withoutNode).toMatchObject({ status: 503, body: { errorType: 'ServiceUnavailable' } })
  })

  test('a request that breaks a rule costs no trip at all', async () => {
    const { status, headers } = await fetchFrom(envOf(), '/api/v1/quote', quote({ buyToken: usd }))
    expect(status).toBe(400)
    expect(headers.get('Server-Timing')).toBeNull()
  })

  test('the ban list is a setting', async () => {
    const env = envOf({
      BANNED_USERS: '0x3000000000000000000000000000000000000003, 0x4000000000000000000000000000000000000004',
    })
    expect((await fetchFrom(env, '/api/v1/quote', quote())).status).toBe(403)
  })

  test('tokens that are not traded and the volume fee are settings', async () => {
    expect((await fetchFrom(envOf({ UNSUPPORTED_TOKENS: usd }), '/api/v1/quote', quote())).body).toMatchObject({
      errorType: 'UnsupportedToken',
      data: { field: 'sellToken', token: usd },
    })
    expect((await fetchFrom(envOf({ VOLUME_FEE_BPS: '2' }), '/api/v1/quote', quote())).body).toMatchObject({
      protocolFeeBps: '2',
    })
  })

  test('without a node there is no gas price: unavailable, without leaking the URL', async () => {
    const env = envOf({ RPC_URL: 'http://127.0.0.1:1/secret' })
    const { status, body } = await fetchFrom(env, '/api/v1/quote', quote({ timeout: 200 }))
    expect(status).toBe(503)
    expect(body).toEqual({
      errorType: 'ServiceUnavailable',
      description: expect.any(String),
      data: { dependency: 'rpc', retryable: true },
    })
  })

  test('readiness checks the database and the chain', async () => {
    expect(await fetchFrom(envOf(), '/readyz')).toMatchObject({
      status: 200,
      body: { status: 'ok', dependencies: { database: 'ok', rpc: 'ok' } },
    })
    expect(await fetchFrom(envOf({ RPC_URL: 'http://127.0.0.1:1' }), '/readyz')).toMatchObject({
      status: 503,
      body: { dependencies: { database: 'ok', rpc: 'unavailable' } },
    })
    expect((await fetchFrom(envOf({ NETWORK: 'gnosis' }), '/readyz')).status).toBe(503)
  })

  test.each([
    [{ NETWORK: 'atlantis' }, 'NETWORK'],
    [{ DATABASE_URL: undefined }, 'DATABASE_URL'],
    [{ DATABASE_URL: 'nowhere' }, 'DATABASE_URL'],
    [{ RPC_URL: 'ws://x' }, 'RPC_URL'],
    [{ SOLVERS: 'direct' }, 'SOLVERS'],
    [{ SOLVERS: JSON.stringify([{ name: 'direct', address, binding: 'SOLVER_DIRECT' }]) }, 'SOLVERS'],
    [{ BANNED_USERS: 'alice' }, 'BANNED_USERS'],
    [{ QUOTE_TIMEOUT_MS: 'soon' }, 'QUOTE_TIMEOUT_MS'],
    [{ UNSUPPORTED_TOKENS: 'usd' }, 'UNSUPPORTED_TOKENS'],
    [{ LISTED_TOKENS: 'usd' }, 'LISTED_TOKENS'],
    [{ VOLUME_FEE_BPS: '10000' }, 'VOLUME_FEE_BPS'],
    [{ VOLUME_FEE_BUCKETS: '[{}]' }, 'VOLUME_FEE_BUCKETS'],
  ])('an invalid setting is named: %j', async (changes, name) => {
    const { status, body } = await fetchFrom(envOf(changes), '/api/v1/quote', quote())
    expect(status).toBe(503)
    expect(JSON.stringify(body)).toContain(`"${name}`)
    expect((await fetchFrom(envOf(changes), '/healthz')).status).toBe(200)
  })

  test('a solver is reached through its service binding', async () => {
    const env = envOf({
      SOLVERS: JSON.stringify([{ name: 'direct', address, binding: 'SOLVER_DIRECT' }]),
      SOLVER_DIRECT: {
        fetch: (request: Request) => fetch(request.url.replace('http://direct', solver.solver.baseUrl)),
      },
    })
    expect((await fetchFrom(env, '/api/v1/quote', quote())).status).toBe(200)
  })
})
