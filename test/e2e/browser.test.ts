import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { type Hex, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Stack } from '#tools/stack/startStack.ts'
import { browserTest, hasBrowser } from '../helpers/console/browser.ts'
import { closePages, useBrowser } from '../helpers/console/sharedBrowser.ts'
import { startBareTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let browser: Browser
/** a foreign site: another port is another origin */
let site: Server
let origin: string

beforeAll(async () => {
  if (!hasBrowser) return
  const bind = (name: string, namespace_id: string, limit: number) => ({
    name: `LIMIT_${name}`,
    namespace_id,
    simple: { limit, period: 10 as const },
  })
  ;[stack, browser] = await Promise.all([
    startBareTestStack({
      vars: { gateway: { CACHE: 'memory' } },
      rateLimits: [bind('SUBMISSIONS', '1', 5), bind('QUOTES', '2', 1_000), bind('READS', '3', 10_000)],
    }),
    useBrowser(),
  ])
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
  await stack?.stop()
})

const token = (symbol: string): Hex => stack.info.tokens[symbol]?.address ?? zeroAddress

/** The parts of a response that a page's script can read. */
type Init = { method?: string; headers?: Record<string, string>; body?: string; cache?: 'no-cache' | 'no-store' }
type Seen = { status: number; headers: Record<string, string>; body: string }

const openSite = async (): Promise<Page> => {
  const page = await browser.newPage()
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
    [stack.info.baseUrl + path, init] as const,
  )

const postJson = (body: unknown): Init => ({
  method: 'POST',
  // neither is a simple request, so the browser sends a preflight
  headers: { 'Content-Type': 'application/json', 'X-API-Key': 'unused', 'X-AppId': 'site' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const quoteRequest = (changes: object = {}) => ({
  sellToken: token('WETH'),
  buyToken: token('USDC'),
  from: zeroAddress,
  kind: 'sell',
  sellAmountBeforeFee: parseEther('0.1').toString(),
  ...changes,
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
    expect(JSON.parse(quote.body)).toMatchObject({ quote: { sellToken: token('WETH').toLowerCase() } })
    expect(quote.headers).toMatchObject({
      'cache-control': 'no-store',
      'ratelimit-policy': '"quotes";q=1000;w=10',
      'server-timing': expect.stringContaining('db'),
      'x-request-id': expect.any(String),
    })
    expect(preflights).toContain(`OPTIONS ${stack.info.baseUrl}/sepolia/api/v1/quote`)
    await page.close()
  })

  /** one page for all faulty requests; `closePages` closes it */
  let faulty: Page | undefined

  browserTest.each([
    ['malformed', 400, '/sepolia/api/v1/quote', () => postJson('{')],
    ['a wrong value', 400, '/sepolia/api/v1/quote', () => postJson(quoteRequest({ kind: 'swap' }))],
    ['no such path', 404, '/sepolia/api/v1/nothing', (): Init => ({})],
    ['no such order', 404, `/sepolia/api/v1/orders/0x${'12'.repeat(56)}`, (): Init => ({})],
    ['no such method', 405, '/sepolia/api/v1/orders', () => ({ method: 'PUT', body: '{}' })],
    ['not JSON', 415, '/sepolia/api/v1/orders', () => ({ method: 'POST', body: 'a' })],
    ['too long', 413, '/sepolia/api/v1/quote', () => postJson(`{"a":"${'a'.repeat(20_000)}"}`)],
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
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
    const [, code = ''] = /```js\n(const api = .*?)\n```/s.exec(readme) ?? []
    const own = code
      .replace('http://127.0.0.1:8787', stack.info.baseUrl)
      .replace('http://127.0.0.1:8545', stack.info.rpcUrl)
    const page = await openSite()
    const filled = page.waitForEvent('console', (message) => message.text() === 'traded')
    await page.evaluate(`(async () => { ${own} })()`)
    await filled
    await page.close()
  })

  browserTest('reads Retry-After of a 429', async () => {
    const page = await openSite()
    const answers: Seen[] = []
    for (let i = 0; i < 11; i += 1) answers.push(await fetchFrom(page, '/sepolia/api/v1/orders', postJson({})))
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
    expect(seen).toContain(304)
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
      `${stack.info.baseUrl}/11155111/accounts/${user}/balances/sse?tokens=${token('USDC')}`,
    )
    expect(JSON.parse(balances)).toMatchObject({ balances: expect.anything() })
    const { status, headers, body } = await fetchFrom(
      page,
      '/sepolia/api/v1/quote/stream',
      postJson(quoteRequest({ timeout: 2_000 })),
    )
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/event-stream/)])
    expect(body).toMatch(/^data: \{.*"id":/m)
    await page.close()
  })
})

browserTest('/docs shows every operation, loads nothing from elsewhere and obeys its policy', async () => {
  const page = await browser.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', ({ message }) => void complaints.push(message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(stack.info.baseUrl) && !url.startsWith('data:')) foreign.push(url)
  })
  const response = await page.goto(`${stack.info.baseUrl}/docs`)
  expect(response?.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/)
  await page.waitForSelector('.opblock')
  const { paths } = (await (await fetch(`${stack.info.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, object>
  }
  const operations = Object.values(paths).flatMap((item) => Object.keys(item))
  expect(await page.locator('.opblock').count()).toBe(operations.length)

  // one of them is opened, tried out and answered
  const version = page.locator('.opblock', { hasText: '/api/v1/version' })
  await version.locator('.opblock-summary-control').click()
  await version.getByRole('button', { name: 'Try it out' }).click()
  await version.locator('[data-param-name=network] select').selectOption('sepolia')
  await version.getByRole('button', { name: 'Execute' }).click()
  await version.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor()
  expect([complaints, foreign]).toEqual([[], []])
  await page.close()
})
