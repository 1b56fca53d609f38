import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

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
  })
  base = `${stack.info.baseUrl}/${stack.info.network}/api/v1`
  privateKey = stack.info.accounts[1]?.privateKey as Hex
  trader = connectTrader(stack.info, privateKey)
  await trader.approveRelayer(token('WETH'))
})
afterAll(() => stack?.stop())

const token = (symbol: string) => stack.info.tokens[symbol]?.address as Hex

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
  await waitForWindow()
  const answers = await Promise.all(Array.from({ length: 3 }, () => send('POST', 'quote', request)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
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
