import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, keccak256, parseUnits, stringToHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { postSwap, waitForStatus } from '#tools/demo/swap.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader
/** a filled order, an open one, and the settlement of the first */
let filled: Hex
let open: Hex
let auctionId: number
let transaction: Hex
/** a script of the console, by its built file name */
let script: string
const document = JSON.stringify({ appCode: 'edge' })
const documentHash = keccak256(stringToHex(document))

beforeAll(async () => {
  stack = await startTestStack({ vars: { gateway: { CACHE: 'memory' } } })
  const privateKey = stack.info.accounts[0]?.privateKey as Hex
  trader = connectTrader(stack.info, privateKey)
  await trader.approveRelayer(token('WETH').address)
  const amount = parseUnits('0.1', 18)
  filled = (await postSwap(trader, { kind: 'sell', sellToken: token('WETH'), buyToken: token('USDC'), amount })) as Hex
  await waitForStatus(trader, filled, 'fulfilled')
  const terms = { sellToken: token('WETH').address, buyToken: token('USDC').address, sellAmount: 10n ** 15n }
  const order = await signOrder(stack.info, privateKey, { ...terms, buyAmount: 10n ** 12n, appData: document })
  open = (await (await send('POST', '/sepolia/api/v1/orders', order)).json()) as Hex
  const report = await (await get(`/sepolia/api/v1/debug/order/${filled}`)).json()
  ;[{ auctionId, txHash: transaction }] = (report as { trades: [{ auctionId: number; txHash: Hex }] }).trades
  const page = await (await get('/status')).text()
  script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? ''
  await waitUntil('a price', async () => (await get(`/11155111/tokens/${usdc()}/usdPrice`)).status === 200, {
    timeoutMs: 60_000,
    intervalMs: 1_000,
  })
})
afterAll(() => stack?.stop())

const token = (symbol: string) => {
  const found = stack.info.tokens[symbol]
  if (!found) throw new Error(`no token ${symbol}`)
  return found
}
const usdc = () => token('USDC').address.toLowerCase()
const get = (path: string, headers: Record<string, string> = {}) => fetch(stack.info.baseUrl + path, { headers })
const send = (method: string, path: string, body: unknown) =>
  fetch(stack.info.baseUrl + path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const cacheOf = ({ headers }: Response) => headers.get('CF-Cache-Status')
const toChecksummed = (address: string) => address.replace(/[a-f]/g, (digit) => digit.toUpperCase())
const stranger = `0x${'12'.repeat(20)}`

/** Response and cache lifetime of each route; a route missing here fails the test. */
const policies: Record<string, [example: (() => string) | undefined, policy: string]> = {
  'GET /': [() => '/', cachePolicies.noStore],
  'GET /healthz': [() => '/healthz', cachePolicies.noStore],
  'GET /readyz': [() => '/readyz', cachePolicies.noStore],
  'GET /about': [() => '/about', cachePolicies.noStore],
  'GET /limits': [() => '/limits', cachePolicies.service],
  'GET /openapi.json': [() => '/openapi.json', cachePolicies.service],
  'GET /status.json': [() => '/status.json', cachePolicies.status],
  'GET /{network}/status.json': [() => '/sepolia/status.json', cachePolicies.status],
  'GET /docs': [() => '/docs', cachePolicies.asset],
  'GET /docs/{file}': [() => '/docs/docs.js', cachePolicies.asset],
  ...Object.fromEntries(
    [
      ['/orders/{uid}', () => `/orders/${filled}`] as const,
      ['/accounts/{account}', () => `/accounts/${trader.address}`] as const,
      ['/transactions/{hash}', () => `/transactions/${transaction}`] as const,
      ['/auctions/{id}', () => `/auctions/${auctionId}`] as const,
      ['/tokens/{token}', () => `/tokens/${token('WETH')}`] as const,
      ['/explore', () => '/explore'] as const,
      ['/notifications', () => '/notifications'] as const,
      ['/status', () => '/status'] as const,
    ].map(([path, example]) => [`GET ${path}`, [example, cachePolicies.page]]),
  ),
  'GET /assets/{file}': [() => script, cachePolicies.immutable],
  'GET /icon.svg': [() => '/icon.svg', cachePolicies.asset],
  'GET /{network}/api/v1/tokens': [() => '/sepolia/api/v1/tokens', cachePolicies.tokenDetails],
  'GET /{network}/api/v1/version': [() => '/sepolia/api/v1/version', cachePolicies.noStore],
  'GET /{network}/api/v1/ready': [() => '/sepolia/api/v1/ready', cachePolicies.noStore],
  ...Object.fromEntries(
    (['orders', 'trades', 'auctions'] as const).map((list) => [
      `GET /{network}/api/v1/explorer/${list}`,
      [() => `/sepolia/api/v1/explorer/${list}?limit=3`, cachePolicies.recent],
    ]),
  ),
  'GET /{network}/api/v1/explorer/statistics': [() => '/sepolia/api/v1/explorer/statistics', cachePolicies.statistics],
  'GET /{network}/api/v1/explorer/accounts/{account}/statistics': [
    () => `/sepolia/api/v1/explorer/accounts/${trader.address}/statistics`,
    cachePolicies.statistics,
  ],
  'GET /{network}/api/v1/explorer/solvers': [() => '/sepolia/api/v1/explorer/solvers', cachePolicies.statistics],
  'GET /{network}/api/v1/auction': [() => '/sepolia/api/v1/auction', cachePolicies.noStore],
  'GET /{network}/api/v1/orders/{uid}': [() => `/sepolia/api/v1/orders/${filled}`, cachePolicies.terminal],
  'GET /{network}/api/v1/orders/{uid}/status': [
    () => `/sepolia/api/v1/orders/${filled}/status`,
    cachePolicies.terminal,
  ],
  'GET /{network}/api/v1/orders/{uid}/simulate': [
    () => `/sepolia/api/v1/orders/${open}/simulate`,
    cachePolicies.noStore,
  ],
  'GET /{network}/api/v1/account/{owner}/orders': [
    () => `/sepolia/api/v1/account/${trader.address}/orders`,
    cachePolicies.noStore,
  ],
  'GET /{network}/api/v1/trades': [() => `/sepolia/api/v1/trades?orderUid=${filled}`, cachePolicies.live],
  'GET /{network}/api/v2/trades': [() => `/sepolia/api/v2/trades?orderUid=${filled}`, cachePolicies.live],
  'GET /{network}/api/v1/transactions/{hash}/orders': [
    () => `/sepolia/api/v1/transactions/${transaction}/orders`,
    cachePolicies.noStore,
  ],
  'GET /{network}/api/v1/users/{address}/total_surplus': [
    () => `/sepolia/api/v1/users/${trader.address}/total_surplus`,
    cachePolicies.noStore,
  ],
  'GET /{network}/api/v1/app_data/{hash}': [() => `/sepolia/api/v1/app_data/${documentHash}`, cachePolicies.immutable],
  'GET /{network}/api/v1/token/{token}/native_price': [
    () => `/sepolia/api/v1/token/${usdc()}/native_price`,
    cachePolicies.nativePrice,
  ],
  'GET /{network}/api/v1/token/{token}/metadata': [
    () => `/sepolia/api/v1/token/${usdc()}/metadata`,
    cachePolicies.tokenMetadata,
  ],
  'GET /{network}/api/v1/debug/order/{uid}': [() => `/sepolia/api/v1/debug/order/${filled}`, cachePolicies.noStore],
  'GET /{network}/restricted/api/v1/debug/simulation/{uid}': [
    () => `/sepolia/restricted/api/v1/debug/simulation/${open}`,
    cachePolicies.noStore,
  ],
  'GET /{chainId}/address/{address}/balances': [
    () => `/11155111/address/${trader.address}/balances`,
    cachePolicies.noStore,
  ],
  'GET /{network}/restricted/api/v1/debug/order/{uid}': [
    () => `/sepolia/restricted/api/v1/debug/order/${filled}`,
    cachePolicies.noStore,
  ],
  ...Object.fromEntries(
    ['api/v1', 'api/v2', 'restricted/api/v2'].flatMap((base) => [
      [
        `GET /{network}/${base}/solver_competition/latest`,
        [() => `/sepolia/${base}/solver_competition/latest`, cachePolicies.live],
      ],
      [
        `GET /{network}/${base}/solver_competition/{auction_id}`,
        [() => `/sepolia/${base}/solver_competition/${auctionId}`, cachePolicies.live],
      ],
      [
        `GET /{network}/${base}/solver_competition/by_tx_hash/{tx_hash}`,
        [() => `/sepolia/${base}/solver_competition/by_tx_hash/${transaction}`, cachePolicies.live],
      ],
    ]),
  ),
  'GET /{chainId}/tokens/{token}/usdPrice': [() => `/11155111/tokens/${usdc()}/usdPrice`, cachePolicies.usdPrice],
  'GET /{chainId}/tokens/{token}/details': [() => `/11155111/tokens/${usdc()}/details`, cachePolicies.tokenDetails],
  'GET /{chainId}/tokens/{token}/topHolders': [() => `/11155111/tokens/${usdc()}/topHolders`, cachePolicies.topHolders],
  'GET /{chainId}/markets/{pair}/slippageTolerance': [
    () => `/11155111/markets/--${usdc()}/slippageTolerance`,
    cachePolicies.market,
  ],
  'GET /{chainId}/markets/{pair}/volatilityDetails': [
    () => `/11155111/markets/--${usdc()}/volatilityDetails`,
    cachePolicies.market,
  ],
  'GET /{chainId}/markets/{pair}/candles': [
    () => `/11155111/markets/--${usdc()}/candles?interval=5m`,
    cachePolicies.candles,
  ],
  // off unless its provider is enabled
  'GET /{chainId}/yield/pools-average-apr': [undefined, cachePolicies.yield],
  'GET /{chainId}/accounts/{user}/balances': [
    () => `/11155111/accounts/${stranger}/balances?tokens=${usdc()}`,
    cachePolicies.noStore,
  ],
  // only referred traders and affiliates have statistics: see affiliate.test.ts
  'GET /affiliate/trader-stats/{address}': [undefined, cachePolicies.statistics],
  'GET /affiliate/affiliate-stats/{address}': [undefined, cachePolicies.statistics],
  'GET /affiliate/trader-activity/{address}': [
    () => `/affiliate/trader-activity/${trader.address}`,
    cachePolicies.statistics,
  ],
  'GET /accounts/{account}/notifications': [() => `/accounts/${stranger}/notifications`, cachePolicies.notifications],
}

/** Streams and private responses: never cached, tested separately. */
const neverKept = [
  /\/sse$/,
  /\/events$/,
  /^GET \/affiliate\/\{/,
  /^GET \/ref-codes\//,
  /subscriptions?\b/,
  /^GET \/notifications\//,
]

describe('every GET route', () => {
  test('has a policy here', async () => {
    const { paths } = (await (await get('/openapi.json')).json()) as { paths: Record<string, object> }
    const reads = Object.entries(paths).flatMap(([path, item]) => ('get' in item ? [`GET ${path}`] : []))
    const unknown = reads.filter((read) => !policies[read] && !neverKept.some((pattern) => pattern.test(read)))
    expect(unknown).toEqual([])
    expect(Object.keys(policies).filter((read) => !reads.includes(read))).toEqual([])
  })

  test('sends its policy in responses, in 304, to HEAD and with CORS headers', async () => {
    for (const [route, [example, policy]] of Object.entries(policies)) {
      if (!example) continue
      const answer = await get(example())
      const body = await answer.text()
      expect([route, answer.status, answer.headers.get('Cache-Control')], body.slice(0, 300)).toEqual([
        route,
        200,
        policy,
      ])
      const head = await fetch(stack.info.baseUrl + example(), { method: 'HEAD' })
      expect([route, head.status, head.headers.get('Cache-Control')]).toEqual([route, 200, policy])
      const etag = answer.headers.get('ETag')
      if (etag === null) continue
      for (const condition of [etag, `"0", ${etag}`, '*']) {
        const unchanged = await get(example(), { 'If-None-Match': condition })
        const { headers, status } = unchanged
        expect([route, condition, status, headers.get('Cache-Control')]).toEqual([route, condition, 304, policy])
        expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
        expect(headers.get('Access-Control-Expose-Headers')).toContain('ETag')
        expect(headers.get('X-Request-Id')).toBeTruthy()
        expect(await unchanged.text()).toBe('')
      }
    }
  })
})

test('has one cached response for every spelling of a request', async () => {
  const spellings: [string, string[]][] = [
    [
      `/11155111/tokens/${usdc()}/details`,
      [
        `/sepolia/tokens/${toChecksummed(usdc()).replace('0X', '0x')}/details`,
        `/sepolia/tokens/${usdc()}/details/?b=1&a=2`,
      ],
    ],
    [
      `/11155111/markets/--${usdc()}/slippageTolerance`,
      [`/sepolia/markets/${nativeSentinel}-${usdc()}/slippageTolerance`],
    ],
    [`/sepolia/api/v1/orders/${filled}`, [`/11155111/api/v1/orders/0x${filled.slice(2).toUpperCase()}/`]],
  ]
  for (const [url, others] of spellings) {
    const first = await (await get(url)).text()
    for (const other of others) {
      const answer = await get(other)
      expect([other, cacheOf(answer)]).toEqual([other, 'HIT'])
      expect(Number(answer.headers.get('Age'))).toBeGreaterThanOrEqual(0)
      expect(await answer.text()).toBe(first)
    }
  }
})

test('serves cached responses without database and node, each with a new request id', async () => {
  await get(`/11155111/tokens/${usdc()}/details`)
  const answers = await Promise.all([1, 2].map(() => get(`/11155111/tokens/${usdc()}/details`)))
  for (const answer of answers) expect([cacheOf(answer), answer.headers.get('Server-Timing')]).toEqual(['HIT', null])
  expect(new Set(answers.map(({ headers }) => headers.get('X-Request-Id'))).size).toBe(2)
})

test('revalidates an open order for each request, and a 304 saves its body', async () => {
  for (let i = 0; i < 2; i += 1) {
    const answer = await get(`/sepolia/api/v1/orders/${open}`)
    expect([cacheOf(answer), answer.headers.get('Cache-Control')]).toEqual(['BYPASS', 'no-cache'])
    const etag = answer.headers.get('ETag') ?? ''
    const again = await get(`/sepolia/api/v1/orders/${open}`, { 'If-None-Match': etag })
    expect([again.status, await again.text()]).toEqual([304, ''])
  }
})

test('does not cache a missing order beyond its arrival', async () => {
  const terms = { sellToken: token('WETH').address, buyToken: token('USDC').address, sellAmount: 10n ** 15n }
  const privateKey = stack.info.accounts[0]?.privateKey as Hex
  const order = await signOrder(stack.info, privateKey, { ...terms, buyAmount: 10n ** 12n + 1n })
  const { signable } = (await (
    await send('POST', '/sepolia/api/v1/quote', {
      ...{ sellToken: terms.sellToken, buyToken: terms.buyToken, from: trader.address },
      ...{ kind: 'sell', sellAmountBeforeFee: String(terms.sellAmount) },
    })
  ).json()) as { signable: { orderUid: string } }
  expect((await get(`/sepolia/api/v1/orders/${signable.orderUid}`)).status).toBe(404)
  const uid = await (await send('POST', '/sepolia/api/v1/orders', order)).json()
  expect((await get(`/sepolia/api/v1/orders/${uid}`)).status).toBe(200)
})

test('a hundred simultaneous requests for an uncached response are one upstream request', async () => {
  const path = `/sepolia/api/v1/token/${token('DAI').address.toLowerCase()}/native_price`
  const answers = await Promise.all(Array.from({ length: 100 }, () => get(path)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const asked = answers.filter((answer) => cacheOf(answer) === 'MISS')
  expect(asked).toHaveLength(1)
})

test('a stale response is served at once and refreshed for the next request', async () => {
  const path = `/sepolia/api/v1/token/${usdc()}/native_price`
  await get(path)
  await sleep(10_500)
  const stale = await get(path)
  expect([stale.status, cacheOf(stale)]).toEqual([200, 'UPDATING'])
  expect(Number(stale.headers.get('Age'))).toBeGreaterThanOrEqual(10)
  await waitUntil('a new one', async () => cacheOf(await get(path)) === 'HIT', { timeoutMs: 10_000 })
})
