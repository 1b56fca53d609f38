import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { type Hex, keccak256, parseEther, stringToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Route, type RouteName, routes } from '#shared/api/routes.ts'
import { cachePolicies } from '#shared/http/cachePolicies.ts'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { browserTest, hasBrowser } from '../helpers/console/browser.ts'
import { closePages, useBrowser } from '../helpers/console/sharedBrowser.ts'
import { type Inspector, inspectResponses } from '../helpers/http/inspectResponses.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { startBareTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
/** checks every response that no browser requests */
let inspector: Inspector
/** of the gateway, without the inspector */
let rawUrl: string
let trader: Trader
/** a filled order and its settlement */
let filled: Hex
let auctionId: number
let transaction: Hex
/** a script of the console, by its built file name */
let script: string
const document = JSON.stringify({ appCode: 'edge' })
const documentHash = keccak256(stringToHex(document))

beforeAll(async () => {
  const bare = await startBareTestStack({
    vars: { gateway: { CACHE: 'memory' } },
    rateLimits: [bind('SUBMISSIONS', '1', 5), bind('QUOTES', '2', 1_000), bind('READS', '3', 10_000)],
  })
  rawUrl = bare.info.baseUrl
  inspector = await inspectResponses(rawUrl)
  stack = { ...bare, info: { ...bare.info, baseUrl: inspector.baseUrl } }
  const privateKey = stack.info.accounts[0]?.privateKey as Hex
  trader = connectTrader(stack.info, privateKey)
  await trader.approveRelayer(token('WETH').address)
  filled = await fillSwap(stack.info, privateKey, '0.1')
  const terms = { sellToken: token('WETH').address, buyToken: token('USDC').address, sellAmount: 10n ** 15n }
  const order = await signOrder(stack.info, privateKey, { ...terms, buyAmount: 10n ** 12n, appData: document })
  await send('POST', '/sepolia/api/v1/orders', order)
  const report = await (await get(`/sepolia/api/v1/debug/order/${filled}`)).json()
  ;[{ auctionId, txHash: transaction }] = (report as { trades: [{ auctionId: number; txHash: Hex }] }).trades
  const page = await (await get('/status')).text()
  script = /src="(\/assets\/[^"]+)"/.exec(page)?.[1] ?? ''
  // the first request for holders may meet an incomplete index
  for (const read of ['usdPrice', 'topHolders'])
    await waitUntil(read, async () => (await get(`/11155111/tokens/${usdc()}/${read}`)).status === 200, {
      timeoutMs: patienceMs,
      intervalMs: 1_000,
    })
})
afterAll(async () => {
  await stack?.stop()
  await inspector?.close()
})

const bind = (name: string, namespace_id: string, limit: number) => ({
  name: `LIMIT_${name}`,
  namespace_id,
  simple: { limit, period: 10 as const },
})

const token = (symbol: string) => findToken(stack.info, symbol)
const usdc = () => token('USDC').address.toLowerCase()
const get = (path: string, headers: Record<string, string> = {}) => fetch(stack.info.baseUrl + path, { headers })
const send = (method: string, path: string, body: unknown) =>
  fetch(stack.info.baseUrl + path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
const stranger = `0x${'12'.repeat(20)}`

/** The gateway's own files, which are never in its cache. */
const files = /^\/(?:docs|assets|icon|manifest|llms)/

/** Every GET route with an example of its path. Streams do not end, and are tested elsewhere. */
const listReads = (): { path: string; isCacheable: boolean }[] => {
  const values: Record<string, string> = {
    ...{ network: 'sepolia', chainId: '11155111', uid: filled, id: String(auctionId), auction_id: String(auctionId) },
    ...{ account: trader.address, owner: trader.address, user: trader.address, address: trader.address },
    ...{ hash: transaction, tx_hash: transaction, token: usdc(), pair: `--${usdc()}`, file: 'docs.js' },
  }
  const examples: Partial<Record<RouteName, string>> = {
    getTrades: `/sepolia/api/v1/trades?orderUid=${filled}`,
    getTradesPage: `/sepolia/api/v2/trades?orderUid=${filled}`,
    getAppData: `/sepolia/api/v1/app_data/${documentHash}`,
    getConsoleFile: script,
    getBalances: `/11155111/accounts/${stranger}/balances?tokens=${usdc()}`,
  }
  return (Object.entries(routes) as [RouteName, Route][])
    .filter(([, { method, path }]) => method === 'get' && !/\/(?:sse|events)$/.test(path))
    .map(([name, { path, cacheable }]) => ({
      path: examples[name] ?? path.replace(/\{(\w+)\}/g, (_, parameter: string) => values[parameter] ?? stranger),
      isCacheable: cacheable !== undefined,
    }))
}

test('every GET route sends one policy in responses, in 304 and to HEAD, public only where its row is cacheable', async () => {
  let successes = 0
  for (const { path, isCacheable } of listReads()) {
    const response = await get(path)
    const body = await response.text()
    const policy = response.headers.get('Cache-Control') ?? ''
    expect(Object.values<string>(cachePolicies), `${path}: ${body.slice(0, 300)}`).toContain(policy)
    if (response.status !== 200) {
      // private without a signature, switched off, or unknown, which some routes cache for seconds
      if (!isCacheable) expect([path, policy]).toEqual([path, cachePolicies.noStore])
      continue
    }
    successes += 1
    const isPublic = policy.startsWith('public') && !files.test(path)
    if (isPublic) expect([path, isCacheable]).toEqual([path, true])
    // a cacheable row without a policy would cost every reader a request to its Worker
    if (isCacheable) expect([path, policy]).not.toEqual([path, cachePolicies.noStore])
    const head = await fetch(stack.info.baseUrl + path, { method: 'HEAD' })
    // readiness is a probe of its own for each request
    if (path !== '/readyz') expect([path, head.status]).toEqual([path, 200])
    expect([path, head.headers.get('Cache-Control')]).toEqual([path, policy])
    const etag = response.headers.get('ETag')
    if (etag === null) continue
    for (const condition of [etag, `"0", ${etag}`, '*']) {
      const unchanged = await get(path, { 'If-None-Match': condition })
      const { headers, status } = unchanged
      expect([path, condition, status, headers.get('Cache-Control')]).toEqual([path, condition, 304, policy])
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect(headers.get('Access-Control-Expose-Headers')).toContain('ETag')
      expect(headers.get('X-Request-Id')).toBeTruthy()
      expect(await unchanged.text()).toBe('')
    }
  }
  expect(successes).toBeGreaterThan(50)
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

describe('a browser', () => {
  let browser: Browser
  /** a foreign site: another port is another origin */
  let site: Server
  let origin: string

  beforeAll(async () => {
    if (!hasBrowser) return
    browser = await useBrowser()
    site = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end('<!doctype html><title>a site</title>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await closePages(browser)
    site?.close()
  })

  /** The parts of a response that a page's script can read. */
  type Init = { method?: string; headers?: Record<string, string>; body?: string; cache?: 'no-cache' | 'no-store' }
  type Seen = { status: number; headers: Record<string, string>; body: string }

  const openSite = async (): Promise<Page> => {
    const page = await browser.newPage()
    page.setDefaultTimeout(patienceMs)
    await page.goto(origin)
    return page
  }

  /** `fetch` as called by a script of the site; rejects where the browser hides the response. */
  const fetchFrom = (page: Page, path: string, init: Init = {}): Promise<Seen> =>
    page.evaluate(
      async ([url, options]) => {
        const response = await fetch(url, options)
        return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() }
      },
      [rawUrl + path, init] as const,
    )

  const postJson = (body: unknown): Init => ({
    method: 'POST',
    // neither is a simple request, so the browser sends a preflight
    headers: { 'Content-Type': 'application/json', 'X-API-Key': 'unused', 'X-AppId': 'site' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

  const quoteRequest = () => ({
    sellToken: token('WETH').address,
    buyToken: token('USDC').address,
    from: zeroAddress,
    kind: 'sell',
    sellAmountBeforeFee: parseEther('0.1').toString(),
  })

  describe('a page of another origin', () => {
    browserTest('gets a quote: preflight, POST, body and headers', async () => {
      const page = await openSite()
      const preflights: string[] = []
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      session.on('Network.requestWillBeSent', ({ request }) => void preflights.push(`${request.method} ${request.url}`))
      const quote = await fetchFrom(page, '/sepolia/api/v1/quote', postJson(quoteRequest()))
      expect(quote.status, quote.body).toBe(200)
      expect(JSON.parse(quote.body)).toMatchObject({ quote: { sellToken: token('WETH').address.toLowerCase() } })
      expect(quote.headers).toMatchObject({
        'cache-control': 'no-store',
        'ratelimit-policy': '"quotes";q=1000;w=10',
        'server-timing': expect.stringContaining('db'),
        'x-request-id': expect.any(String),
      })
      expect(preflights).toContain(`OPTIONS ${rawUrl}/sepolia/api/v1/quote`)
      await page.close()
    })

    /** one page for all faulty requests; `closePages` closes it */
    let faulty: Page | undefined

    browserTest.each([
      ['malformed', 400, '/sepolia/api/v1/quote', () => postJson('{')],
      ['no such method', 405, '/sepolia/api/v1/orders', () => ({ method: 'PUT', body: '{}' })],
      ['not JSON', 415, '/sepolia/api/v1/orders', () => ({ method: 'POST', body: 'a' })],
      ['far too long', 413, '/sepolia/api/v1/quote', () => postJson(`{"a":"${'a'.repeat(300_000)}"}`)],
      ['a URL too long', 414, `/healthz?${'a'.repeat(17_000)}`, (): Init => ({})],
    ])('reads what is wrong: %s (%i)', async (_, status, path, init) => {
      faulty ??= await openSite()
      const answer = await fetchFrom(faulty, path, init())
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        status,
        expect.objectContaining({ errorType: expect.any(String), description: expect.any(String) }),
      ])
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': expect.any(String) })
    })

    browserTest("trades with the README's snippet pasted into its console", async () => {
      const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
      const [, code = ''] = /```js\n(const api = .*?)\n```/s.exec(readme) ?? []
      const own = code.replace('http://127.0.0.1:8787', rawUrl).replace('http://127.0.0.1:8545', stack.info.rpcUrl)
      const page = await openSite()
      const filled = page.waitForEvent('console', {
        predicate: (message) => message.text() === 'traded',
        timeout: patienceMs,
      })
      await page.evaluate(`(async () => { ${own} })()`)
      await filled
      await page.close()
    })

    browserTest('reads Retry-After of a 429', async () => {
      const page = await openSite()
      // together, so that six are in one period of ten seconds
      const answers = await Promise.all(
        Array.from({ length: 11 }, () => fetchFrom(page, '/sepolia/api/v1/orders', postJson({}))),
      )
      const refused = answers.find(({ status }) => status === 429)
      expect(JSON.parse(refused?.body ?? '{}')).toMatchObject({ errorType: 'RateLimited', data: { requests: 5 } })
      expect(refused?.headers).toMatchObject({
        'retry-after': '10',
        'ratelimit-policy': '"submissions";q=5;w=10',
        ratelimit: '"submissions";r=0;t=10',
      })
      await page.close()
    })

    browserTest('revalidates cached responses with 304', async () => {
      const page = await openSite()
      const first = await fetchFrom(page, '/openapi.json')
      const { etag = '' } = first.headers
      expect(first.headers).toMatchObject({
        'cf-cache-status': expect.any(String),
        'cache-control': 'public, max-age=300',
      })
      const asked = await fetchFrom(page, '/openapi.json', { headers: { 'If-None-Match': etag }, cache: 'no-store' })
      expect([asked.status, asked.body, asked.headers.etag]).toEqual([304, '', etag])

      // Also without code: the browser revalidates its own cache and returns 200 from it.
      const seen: number[] = []
      const session = await page.context().newCDPSession(page)
      await session.send('Network.enable')
      session.on('Network.responseReceivedExtraInfo', ({ statusCode }) => void seen.push(statusCode))
      const again = await fetchFrom(page, '/openapi.json', { cache: 'no-cache' })
      expect([again.status, again.body.length]).toEqual([200, first.body.length])
      await expect.poll(() => seen, { timeout: patienceMs }).toContain(304)
      await page.close()
    })

    browserTest('subscribes to balances and to a stream of quotes', async () => {
      const page = await openSite()
      const user = stack.info.accounts[0]?.address
      const balances = await page.evaluate(
        (url) =>
          new Promise<string>((resolve, reject) => {
            const source = new EventSource(url)
            source.addEventListener('initial_balances', (event) => {
              source.close()
              resolve(String((event as MessageEvent).data))
            })
            source.onerror = () => reject(new Error('the stream fails'))
          }),
        `${rawUrl}/11155111/accounts/${user}/balances/sse?tokens=${token('USDC').address}`,
      )
      expect(JSON.parse(balances)).toMatchObject({ balances: expect.anything() })
      const { status, headers, body } = await fetchFrom(page, '/sepolia/api/v1/quote/stream', postJson(quoteRequest()))
      expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
      expect(body).toMatch(/^data: \{.*"id":/m)
      await page.close()
    })
  })

  browserTest('/docs shows every operation, loads nothing from elsewhere and obeys its policy', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(patienceMs)
    const complaints: string[] = []
    const foreign: string[] = []
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
    page.on('pageerror', ({ message }) => void complaints.push(message))
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(rawUrl) && !url.startsWith('data:')) foreign.push(url)
    })
    const response = await page.goto(`${rawUrl}/docs`)
    expect(response?.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
    await page.waitForSelector('.opblock')
    const { paths } = (await (await fetch(`${rawUrl}/openapi.json`)).json()) as {
      paths: Record<string, object>
    }
    const operations = Object.values(paths).flatMap((item) => Object.keys(item))
    expect(await page.locator('.opblock').count()).toBe(operations.length)

    // one of them is opened and tried out
    const version = page.locator('.opblock', { hasText: '/api/v1/version' })
    await version.locator('.opblock-summary-control').click()
    await version.getByRole('button', { name: 'Try it out' }).click()
    await version.locator('[data-param-name=network] select').selectOption('sepolia')
    await version.getByRole('button', { name: 'Execute' }).click()
    await version.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()

    // references and the parts of an error's schema are resolved
    const placement = page.locator('.opblock-post', { hasText: '/api/v1/orders' }).first()
    await placement.locator('.opblock-summary-control').click()
    const refusal = placement.locator('.response', { hasText: 'sellAmount does not fit' }).locator('.example')
    await refusal.filter({ hasText: /"errorType": "InvalidParameter"/ }).waitFor()
    expect([complaints, foreign]).toEqual([[], []])
    await page.close()
  })
})
