import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createGateway } from '../createGateway.ts'
import { apiKeysSchema } from '../limits/connectApiKeys.ts'
import { connectRateLimits } from '../limits/rateLimits.ts'
import type { WorkerFetch } from '../routing/connectWorkers.ts'

const worker: WorkerFetch = async () => Response.json({}, { headers: { ETag: '"1"' } })
const broken: WorkerFetch = async () => Promise.reject(new Error('gone'))

/** Allows two quotes, one submission and three reads per client; `calls` records the calls of the bindings. */
const setUp = (count: (key: string, seen: number) => boolean = (_, seen) => seen > 0) => {
  const calls: string[] = []
  const allowances = { QUOTES: 2, SUBMISSIONS: 1, READS: 3 }
  const bindings = Object.entries(allowances).map(([name, limit]) => {
    const left = new Map<string, number>()
    const binding = {
      limit: async ({ key }: { key: string }) => {
        calls.push(`${name} ${key}`)
        const seen = left.get(key) ?? limit
        left.set(key, seen - 1)
        return { success: count(key, seen) }
      },
    }
    return [`LIMIT_${name}`, binding] as const
  })
  const quotas = Object.entries(allowances).map(([name, limit]) => [`LIMIT_${name}`, { limit, period: 10 }])
  const env = { RATE_LIMITS: JSON.stringify(Object.fromEntries(quotas)), ...Object.fromEntries(bindings) }
  const gateway = createGateway({
    workers: { sepolia: { quotes: worker, orders: worker, debug: broken }, gnosis: { orders: worker } },
    sharedWorkers: { affiliate: worker },
    version: '1.2.3',
    rateLimits: connectRateLimits(env),
    trustedAddressHeader: 'CF-Connecting-IP',
    log: () => undefined,
  })
  const send = (method: string, path: string, address = '203.0.113.7') =>
    gateway(new Request(`http://edgebook.test${path}`, { method, headers: { 'CF-Connecting-IP': address } }))
  return { send, calls }
}

test('a request above the limit is a 429 with the limit and the retry time', async () => {
  const { send } = setUp()
  for (const stream of ['', '/stream']) {
    const response = await send('POST', `/sepolia/api/v1/quote${stream}`)
    expect(response.status).toBe(200)
    expect(response.headers.get('RateLimit-Policy')).toBe('"quotes";q=2;w=10')
    expect(response.headers.has('RateLimit')).toBe(false)
  }
  const response = await send('POST', '/sepolia/api/v1/quote/')
  expect(response.status).toBe(429)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': expect.stringContaining('RateLimit, RateLimit-Policy, Retry-After'),
    'cache-control': 'no-store',
    'retry-after': '10',
    'ratelimit-policy': '"quotes";q=2;w=10',
    ratelimit: '"quotes";r=0;t=10',
    'x-request-id': expect.any(String),
  })
  expect(await response.json()).toEqual({
    errorType: 'RateLimited',
    description: 'more than 2 requests in 10 seconds',
    data: { limit: 'quotes', requests: 2, seconds: 10 },
  })
})

test('the request for a WebSocket carries the quota of reads, by which its messages count', async () => {
  const received: (string | null)[] = []
  const streams: WorkerFetch = async ({ headers }) => {
    received.push(headers.get('X-Quota'))
    return Response.json({})
  }
  const gateway = createGateway({
    workers: { sepolia: { streams } },
    sharedWorkers: {},
    version: '1.2.3',
    rateLimits: connectRateLimits({
      RATE_LIMITS: JSON.stringify({ LIMIT_READS: { limit: 600, period: 10 } }),
      LIMIT_READS: { limit: async () => ({ success: true }) },
    }),
    trustedAddressHeader: undefined,
    log: () => undefined,
  })
  const headers = { Upgrade: 'websocket', 'X-Quota': '9999;w=1' }
  await gateway(new Request('http://edgebook.test/sepolia/api/v1/ws', { headers }))
  expect(received).toEqual(['600;w=10'])
})

test('clients and kinds of requests are counted separately; preflights are not counted', async () => {
  const { send } = setUp()
  const submit = async (address: string) => (await send('POST', '/sepolia/api/v1/orders', address)).status
  expect([await submit('2001:db8::1'), await submit('2001:db8::2'), await submit('2001:db8:0:1::1')]).toEqual([
    200, 429, 200,
  ])
  expect((await send('POST', '/sepolia/api/v1/quote', '2001:db8::1')).status).toBe(200)
  expect((await send('OPTIONS', '/sepolia/api/v1/orders', '2001:db8::1')).status).toBe(204)
})

test('requests are counted per network under any of its names, and paths without a network together', async () => {
  const { send } = setUp()
  const submit = async (path: string) => (await send('POST', path)).status
  expect([await submit('/sepolia/api/v1/orders'), await submit('/11155111/api/v1/orders')]).toEqual([200, 429])
  expect([await submit('/gnosis/api/v1/orders'), await submit('/xdai/api/v1/orders')]).toEqual([200, 429])
  expect([await submit('/affiliate/0x12'), await submit('/affiliate/0x34')]).toEqual([200, 429])
})

test('reads and unknown paths are counted, and errors name their limit, too', async () => {
  const { send } = setUp()
  const responses = [
    await send('GET', '/'),
    await send('GET', '/nowhere'),
    await send('GET', '/accounts/0x12/subscriptions'),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 503])
  for (const { headers } of responses) expect(headers.get('RateLimit-Policy')).toBe('"reads";q=3;w=10')
  expect((await send('GET', '/healthz')).status).toBe(429)
})

test('the auxiliary API returns the 429 in its own format', async () => {
  const { send } = setUp()
  await send('POST', '/affiliate/0x12')
  const response = await send('POST', '/affiliate/0x12')
  expect(response.status).toBe(429)
  expect(await response.json()).toEqual({
    message: 'more than 1 requests in 10 seconds',
    data: { limit: 'submissions', requests: 1, seconds: 10 },
  })
})

test('a failing limiter lets requests through', async () => {
  const { send, calls } = setUp(() => {
    throw new Error('no counter')
  })
  expect((await send('POST', '/sepolia/api/v1/orders')).status).toBe(200)
  expect(calls).toEqual(['SUBMISSIONS sepolia:203.0.113.7'])
})

test('active limits are published, and readyz shows their state', async () => {
  const limited = setUp(() => true)
  const response = await limited.send('GET', '/limits')
  expect(await response.json()).toMatchObject({
    rateLimits: [
      { name: 'quotes', requests: 2, seconds: 10 },
      { name: 'submissions', requests: 1, seconds: 10 },
      { name: 'reads', requests: 3, seconds: 10 },
    ],
  })
  expect(await (await limited.send('GET', '/readyz')).json()).toMatchObject({
    rateLimits: { quotes: 'on', reads: 'on' },
  })

  const open = createGateway({ workers: {}, version: '1.2.3', log: () => undefined })
  const get = async (path: string) => (await open(new Request(`http://edgebook.test${path}`))).json()
  expect(await get('/limits')).toEqual({ rateLimits: [], tiers: [] })
  expect(await get('/readyz')).toMatchObject({ rateLimits: { quotes: 'off', submissions: 'off', reads: 'off' } })
})

describe('API keys', () => {
  const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
  const counting = (limit: number) => {
    const seen = new Map<string, number>()
    return {
      limit: async ({ key }: { key: string }) => {
        seen.set(key, (seen.get(key) ?? 0) + 1)
        return { success: (seen.get(key) ?? 0) <= limit }
      },
    }
  }
  const setUpTiers = (apiKeys: string) => {
    const quotas = { LIMIT_QUOTES: 1, LIMIT_READS: 100, LIMIT_QUOTES_PARTNER: 3 }
    const gateway = createGateway({
      workers: { sepolia: { quotes: worker } },
      version: '1.2.3',
      rateLimits: connectRateLimits(
        {
          RATE_LIMITS: JSON.stringify(
            Object.fromEntries(Object.entries(quotas).map(([name, limit]) => [name, { limit, period: 10 }])),
          ),
          ...Object.fromEntries(Object.entries(quotas).map(([name, limit]) => [name, counting(limit)])),
        },
        apiKeysSchema.parse(apiKeys),
      ),
      log: () => undefined,
    })
    const quote = (key: string | undefined, address: string) =>
      gateway(
        new Request('http://edgebook.test/sepolia/api/v1/quote', {
          method: 'POST',
          headers: { 'CF-Connecting-IP': address, ...(key === undefined ? {} : { 'X-API-Key': key }) },
        }),
      )
    return { gateway, quote }
  }
  const apiKeys = JSON.stringify({ [hashOf('good key')]: 'partner', [hashOf('other key')]: 'partner' })

  test('are counted per key at any address, with the limits of their tier', async () => {
    const { quote } = setUpTiers(apiKeys)
    const statuses = []
    for (const address of ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'])
      statuses.push((await quote('good key', address)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await quote('other key', '203.0.113.1')).status).toBe(200)
    const refused = await quote('good key', '203.0.113.1')
    expect(refused.headers.get('RateLimit-Policy')).toBe('"partner-quotes";q=3;w=10')
    expect(await refused.json()).toMatchObject({ data: { limit: 'quotes', requests: 3, tier: 'partner' } })
  })

  test.each(['bad key', '', 'x'.repeat(10_000)])('an unknown key is ignored: %#', async (key) => {
    const { quote } = setUpTiers(apiKeys)
    expect((await quote(key, '203.0.113.1')).headers.get('RateLimit-Policy')).toBe('"quotes";q=1;w=10')
    expect((await quote(undefined, '203.0.113.1')).status).toBe(429)
  })

  test.each(['{', '[]', '{"good key":"partner"}', `{"${'a'.repeat(64)}":"Partner"}`])(
    'malformed API_KEYS are a fault without their contents: %s',
    (text) => {
      const { error } = apiKeysSchema.safeParse(text)
      expect(error?.issues).toMatchObject([{ path: [], message: expect.stringContaining('SHA-256 hashes') }])
      expect(JSON.stringify(error)).not.toContain('good key')
    },
  )

  test('tiers are published, keys are not', async () => {
    const { gateway } = setUpTiers(apiKeys)
    const text = await (await gateway(new Request('http://edgebook.test/limits'))).text()
    expect(JSON.parse(text)).toMatchObject({
      tiers: [{ name: 'partner', rateLimits: [{ name: 'quotes', requests: 3, seconds: 10 }] }],
    })
    expect(text).not.toContain(hashOf('good key').slice(0, 8))
  })
})

test('a cacheable response names no limit', async () => {
  const limit = { limit: async () => ({ success: true }) }
  const cacheable: WorkerFetch = async () => Response.json({}, { headers: { 'Cache-Control': 'public, max-age=10' } })
  const gateway = createGateway({
    workers: { sepolia: { orders: cacheable } },
    version: '1.2.3',
    rateLimits: connectRateLimits({ RATE_LIMITS: '{"LIMIT_READS":{"limit":3,"period":10}}', LIMIT_READS: limit }),
    log: () => undefined,
  })
  const { headers } = await gateway(new Request(`http://edgebook.test/sepolia/api/v1/orders/0x${'12'.repeat(56)}`))
  expect(headers.has('RateLimit-Policy')).toBe(false)
})
