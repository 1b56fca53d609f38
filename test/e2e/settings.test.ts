import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, type Hex, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patientQuotes, startTestStack } from '../helpers/stack/testStack.ts'

const bind = (name: string, namespace_id: string, limit: number) => ({
  name: `LIMIT_${name}`,
  namespace_id,
  simple: { limit, period: 10 },
})

let stack: Stack
let base: string
let trader: Trader
let privateKey: Hex

beforeAll(async () => {
  stack = await startTestStack({
    rateLimits: [bind('QUOTES', '1', 3), bind('SUBMISSIONS', '2', 2), bind('READS', '3', 1_000)],
    vars: {
      quotes: patientQuotes,
      // as the public system
      orders: { ORDER_APP_DATA: 'hash' },
      affiliate: { CMS_ENABLED: 'false', STATS_API_KEY: '' },
    },
  })
  base = `${stack.info.baseUrl}/${stack.info.network}/api/v1`
  privateKey = stack.info.accounts[1]?.privateKey as Hex
  trader = connectTrader(stack.info, privateKey)
  await trader.approveRelayer(token('WETH'))
})
afterAll(() => stack?.stop())

const token = (symbol: string) => stack.info.tokens[symbol]?.address as Hex

/** Status, headers and parsed body of a response. */
const request = async (path: string, body?: object) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${stack.info.baseUrl}${path}`, body && init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

describe('order bodies as in the public system', () => {
  const document = '{"appCode":"wire/1","metadata":{}}'
  /** An order of a hundredth WETH far above its value. */
  const sign = () =>
    signOrder(stack.info, privateKey, {
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      sellAmount: parseEther('0.01'),
      buyAmount: parseUnits('100000', 6),
      appData: document,
    })

  test('an open order without a fee is a limit order with its available balance', async () => {
    const creation = { ...(await sign()), quoteId: 987_654, partnerFeeBps: 5 }
    const posted = await request('/sepolia/api/v1/orders', creation)
    expect(posted).toMatchObject({ status: 201, body: expect.stringMatching(/^0x[0-9a-f]{112}$/) })
    expect(posted.headers.get('X-Quote-Ignored')).toBe('unknown')
    expect(posted.headers.get('X-Ignored-Fields')).toBe('partnerFeeBps')
    expect(posted.headers.get('Access-Control-Expose-Headers')).toContain('X-Quote-Ignored')
    const { body: order } = await request(`/sepolia/api/v1/orders/${posted.body}`)
    expect(order).toMatchObject({
      status: 'open',
      class: 'limit',
      availableBalance: parseEther('0.01').toString(),
      appData: order.appDataHash,
    })
    const { body: simulation } = await request(`/sepolia/restricted/api/v1/debug/simulation/${posted.body}`)
    expect(simulation).toMatchObject({ tenderlyRequest: { network_id: '11155111' } })
    expect(simulation).toHaveProperty('error')
  })

  test('a document in the appData field is returned unchanged', async () => {
    const { status, body } = await request(`/sepolia/api/v1/app_data/${encodeURIComponent(document)}`)
    expect([status, body]).toEqual([200, { fullAppData: document }])
  })

  test('the routes of the public system respond', async () => {
    expect(await request('/sepolia/api/v1/ready')).toMatchObject({ status: 200, body: null })
    expect(await request('/about')).toMatchObject({ status: 200, body: { name: 'edgebook' } })
    const balances = await request(`/11155111/address/${trader.address}/balances`)
    expect(balances).toMatchObject({ status: 200, body: { balances: expect.any(Object) } })
  })

  test('an error has no text of the validation library', async () => {
    const { status, body } = await request('/sepolia/tokens/prices', {})
    expect([status, body.message]).toEqual([400, 'tokenAddresses is missing: an array'])
  })
})

test('an affiliate program and statistics that are switched off are 503', async () => {
  const of: Address = `0x${'af'.repeat(20)}`
  const program = { status: 503, body: { message: 'the affiliate program is switched off' } }
  const statistics = { status: 503, body: { message: 'the statistics are switched off' } }
  const read = async (path: string) => {
    const { status, body } = await request(path)
    return { status, body }
  }
  expect(await read(`/affiliate/${of}`)).toEqual(program)
  expect(await read('/ref-codes/FRIENDS')).toEqual(program)
  for (const path of ['trader-stats', 'affiliate-stats', 'trader-activity'])
    expect(await read(`/affiliate/${path}/${of}`)).toEqual(statistics)
})

describe('rate limits', () => {
  const send = (method: string, path: string, body: unknown) =>
    fetch(`${base}/${path}`, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })

  const countOrders = async () => {
    const response = await fetch(`${base}/account/${trader.address}/orders`)
    return ((await response.json()) as unknown[]).length
  }

  /** The local counter's windows begin at full ten seconds: none begins in the middle of a test. */
  const waitForWindow = () => sleep(10_000 - (Date.now() % 10_000))

  const expectRefusal = async (response: Response, limit: string, requests: number): Promise<void> => {
    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({
      errorType: 'RateLimited',
      description: `more than ${requests} requests in 10 seconds`,
      data: { limit, requests, seconds: 10 },
    })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^application\/json/),
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
      'retry-after': '10',
      'ratelimit-policy': `"${limit}";q=${requests};w=10`,
      ratelimit: `"${limit}";r=0;t=10`,
    })
  }

  // Both tests wait for the windows of ten seconds, which are counted apart.
  test.concurrent('POST orders: RateLimited (429) stores nothing, and after Retry-After the same order is accepted', async () => {
    const terms = { sellToken: token('WETH'), buyToken: token('USDC') }
    const amounts = { sellAmount: parseUnits('0.1', 18), buyAmount: parseUnits('1000000', 6) }
    const order = await signOrder(stack.info, privateKey, { ...terms, ...amounts })
    await waitForWindow()
    const before = await countOrders()
    for (const method of ['PUT', 'DELETE']) {
      const counted = await send(method, method === 'PUT' ? 'app_data' : 'orders', {})
      expect(counted.status).toBe(400)
      expect(counted.headers.get('ratelimit-policy')).toBe('"submissions";q=2;w=10')
    }
    const refused = await send('POST', 'orders', order)
    await expectRefusal(refused, 'submissions', 2)
    expect(await countOrders()).toBe(before)
    expect((await send('POST', 'orders/by_uids', [])).status).toBe(200)

    await sleep(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await send('POST', 'orders', order)).status).toBe(201)
    expect(await countOrders()).toBe(before + 1)
  })

  test.concurrent('POST quote and quote/stream: RateLimited (429), and after Retry-After there are quotes again', async () => {
    const request = {
      sellToken: token('WETH'),
      buyToken: token('USDC'),
      from: trader.address,
      kind: 'sell',
      sellAmountBeforeFee: parseUnits('0.1', 18).toString(),
    }
    expect((await send('POST', 'quote', request)).status).toBe(200)
    await waitForWindow()
    // counted as well, and ended long before the window
    const answers = await Promise.all(Array.from({ length: 3 }, () => send('POST', 'quote', {})))
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
    await expectRefusal(await send('POST', 'quote', request), 'quotes', 3)
    const refused = await send('POST', 'quote/stream', request)
    await expectRefusal(refused, 'quotes', 3)
    // the auxiliary API has its own error format
    const shared = `${stack.info.baseUrl}/${stack.info.network}`
    for (const path of ['/tokens/prices', '/simulation/simulateBundle']) {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
      const auxiliary = await fetch(shared + path, init)
      expect([path, auxiliary.status, auxiliary.headers.get('retry-after')]).toEqual([path, 429, '10'])
      expect(await auxiliary.json()).toEqual({
        message: 'more than 3 requests in 10 seconds',
        data: { limit: 'quotes', requests: 3, seconds: 10 },
      })
    }

    await sleep(Number(refused.headers.get('retry-after')) * 1_000)
    expect((await send('POST', 'quote', request)).status).toBe(200)
  })

  test('the limits are published, and readyz reports them as on', async () => {
    const get = async (path: string) => (await fetch(stack.info.baseUrl + path)).json()
    expect(await get('/limits')).toMatchObject({
      rateLimits: [
        { name: 'quotes', requests: 3, seconds: 10 },
        { name: 'submissions', requests: 2, seconds: 10 },
        { name: 'reads', requests: 1_000, seconds: 10 },
      ],
    })
    expect(await get('/')).toMatchObject({ links: { limits: '/limits' } })
    expect(await get('/readyz')).toMatchObject({ rateLimits: { quotes: 'on', submissions: 'on', reads: 'on' } })
  })
})
