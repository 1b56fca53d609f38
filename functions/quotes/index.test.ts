import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Address, encodeAbiParameters } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { networks } from '#shared/networks.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { isPriceRequest, quotingAt, type RunningSolver, startSolver } from '#test/helpers/solvers/startSolver.ts'
import worker from './index.ts'

const { wrappedNative } = networks.sepolia
const usd: Address = '0x1000000000000000000000000000000000000001'
const address: Address = '0x5000000000000000000000000000000000000005'

let database: TestDatabase
let solver: RunningSolver
/** wei per 10¹⁸ atoms */
const values = { [wrappedNative]: 10n ** 18n, [usd]: 5n * 10n ** 26n }
/** Running quotes of clients per isolate. */
const quotesAtOnce = 12
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
  solver = await startSolver('direct', quotingAt(values, { gas: 100_000 }))
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

/** A solver that holds its offers until they are released; prices of tokens come at once. */
const startHoldingSolver = async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: full, resolve: fill } = Promise.withResolvers<void>()
  const counts = { held: 0, most: 0 }
  const running = await startSolver('holding', async (request, response) => {
    if (!isPriceRequest(request)) {
      counts.held += 1
      counts.most = Math.max(counts.most, counts.held)
      if (counts.held === quotesAtOnce) fill()
      await released
      counts.held -= 1
    }
    quotingAt(values, { gas: 100_000 })(request, response)
  })
  return { ...running, counts, full, release }
}

describe('many quotes at once', () => {
  const start = async () => {
    const holding = await startHoldingSolver()
    const { address: of, baseUrl: url } = holding.solver
    const env = envOf({ SOLVERS: JSON.stringify([{ name: 'holding', address: of, url }]), QUOTE_TIMEOUT_MS: '20000' })
    let amount = 1_000_000_000
    const request = async (client: string, fields: object = {}) => {
      amount += 1
      const { headers, ...init } = quote({ sellAmountBeforeFee: String(amount), priceQuality: 'fast', ...fields })
      return fetchFrom(env, '/api/v1/quote', { ...init, headers: { ...headers, 'X-Client-Key': client } })
    }
    return { ...holding, env, request }
  }

  test('of one client get their turns, and take none of other clients and of other Workers', async () => {
    const { env, request, counts, full, release, stop } = await start()
    let answered = 0
    const crowd = Array.from({ length: 90 }, async () => {
      const { status } = await request('192.0.2.1')
      answered += 1
      return status
    })
    await full
    expect((await fetchFrom(env, `/api/v1/token/${usd}/native_price`)).status).toBe(200)
    const modest = request('192.0.2.2')
    release()
    expect((await modest).status).toBe(200)
    expect(answered).toBeLessThan(40)
    expect(await Promise.all(crowd)).toEqual(Array(90).fill(200))
    expect(counts.most).toBe(quotesAtOnce)
    await stop()
  })

  test('wait as long as their timeout allows, and are then unavailable', async () => {
    const { request, full, release, stop } = await start()
    const running = Array.from({ length: quotesAtOnce }, () => request('192.0.2.1'))
    await full
    const patient = request('192.0.2.2')
    const { status, body, headers } = await request('192.0.2.2', { timeout: 1_000 })
    expect([status, body.errorType, headers.get('Retry-After')]).toEqual([503, 'ServiceUnavailable', '1'])
    release()
    expect((await patient).status).toBe(200)
    expect((await Promise.all(running)).map((response) => response.status)).toEqual(Array(quotesAtOnce).fill(200))
    await stop()
  })
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

  test('returns other Workers the network fee at the price of now, not at the one that quotes share', async () => {
    let value = values[usd] ?? 0n
    const both = await Promise.all(
      [address, address.replace('5', '6') as Address].map((of, i) =>
        startSolver(
          `solver${i}`,
          (...exchange) => quotingAt({ ...values, [usd]: value }, { gas: 100_000, solver: of })(...exchange),
          { address: of },
        ),
      ),
    )
    const solvers = both.map(({ solver: { name, address: of, baseUrl: url } }) => ({ name, address: of, url }))
    const env = envOf({ SOLVERS: JSON.stringify(solvers) })
    const quoteFee = async (sellAmountBeforeFee: string) => {
      const { body } = await fetchFrom(env, '/api/v1/quote', quote({ sellAmountBeforeFee }))
      return Number((body.quote as { feeAmount: string }).feeAmount)
    }
    const fee = await quoteFee('1000000000')
    value *= 2n
    expect(await quoteFee('1000000001')).toBe(fee)
    const { body } = await fetchFrom(env, '/executable-price', quote())
    expect(Number(body.networkFee)).toBeCloseTo(fee / 2, -1)
    for (const { stop } of both) await stop()
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
