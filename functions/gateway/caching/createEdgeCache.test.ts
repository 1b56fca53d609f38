import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createCacheStore } from './createCacheStore.ts'
import { createEdgeCache } from './createEdgeCache.ts'

const key = { url: '/1/tokens/-/usdPrice', tags: ['price:1'] }
const policy = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=600'

let now: number
let background: Promise<unknown>[]
let requestCount: number
let source: () => Response | Promise<Response>

beforeEach(() => {
  now = 1_000_000
  background = []
  requestCount = 0
})

const setUp = () => {
  const cache = createEdgeCache(() => now)
  const load = async () => {
    requestCount += 1
    return source()
  }
  const waitUntil = (work: Promise<unknown>) => void background.push(work)
  const get = async (init: RequestInit = {}) => {
    const request = new Request(`http://edgebook.test${key.url}`, init)
    return cache.find(key, request, load, waitUntil) ?? (await cache.fill(key, request, load, waitUntil))
  }
  const read = async (init?: RequestInit) => {
    const response = await get(init)
    const { status, headers } = response
    return { status, cache: headers.get('CF-Cache-Status'), age: headers.get('Age'), body: await response.text() }
  }
  const settle = async () => {
    while (background.length > 0) await Promise.all(background.splice(0))
  }
  return { cache, get, read, settle }
}

const say = (price: number, cacheControl: string = policy, status = 200) =>
  Response.json({ price }, { status, headers: { 'Cache-Control': cacheControl, ETag: `"${price}"` } })

test('a cacheable response is requested once, and reports its age', async () => {
  const { read } = setUp()
  source = () => say(1)
  expect(await read()).toEqual({ status: 200, cache: 'MISS', age: null, body: '{"price":1}' })
  now += 59_900
  expect(await read()).toEqual({ status: 200, cache: 'HIT', age: '59', body: '{"price":1}' })
  expect(requestCount).toBe(1)
})

test('a stale response is served at once and revalidated once', async () => {
  const { read, settle } = setUp()
  source = () => say(1)
  await read()
  now += 61_000
  source = () => say(2)
  expect(await Promise.all([read(), read(), read()])).toEqual(
    Array(3).fill({ status: 200, cache: 'UPDATING', age: '61', body: '{"price":1}' }),
  )
  await settle()
  expect(requestCount).toBe(2)
  expect(await read()).toMatchObject({ cache: 'HIT', body: '{"price":2}' })
})

test('a failed revalidation is invisible to clients, and retried a second later', async () => {
  const { read, settle } = setUp()
  source = () => say(1)
  await read()
  now += 61_000
  source = () => say(0, 'no-store', 503)
  for (let i = 0; i < 5; i += 1) expect(await read()).toMatchObject({ status: 200, cache: 'UPDATING' })
  await settle()
  expect(requestCount).toBe(2)
  now += 1_000
  await read()
  await settle()
  expect(requestCount).toBe(3)
})

test.each([
  ['responds with 503', () => say(0, 'no-store', 503)],
  ['throws', () => Promise.reject(new Error('gone'))],
])('a response past stale-while-revalidate is served while its source %s', async (_, failure) => {
  const { read } = setUp()
  source = () => say(1)
  await read()
  now += 400_000
  source = failure
  expect(await read()).toEqual({ status: 200, cache: 'STALE', age: '400', body: '{"price":1}' })
  source = () => say(2)
  now += 1_000
  expect(await read()).toMatchObject({ cache: 'EXPIRED', age: null, body: '{"price":2}' })
})

test('a source that failed is not requested again within a second, at any age of the stale response', async () => {
  const { read } = setUp()
  source = () => say(1)
  await read()
  now += 400_000
  source = () => say(0, 'no-store', 503)
  for (let i = 0; i < 5; i += 1) expect(await read()).toMatchObject({ status: 200, cache: 'STALE' })
  expect(requestCount).toBe(2)
  now += 1_000
  await read()
  expect(requestCount).toBe(3)
})

test('after stale-if-error the error of the source is returned', async () => {
  const { read } = setUp()
  source = () => say(1)
  await read()
  now += 661_000
  source = () => say(0, 'no-store', 503)
  expect(await read()).toMatchObject({ status: 503, cache: 'BYPASS' })
})

test('a 404 replaces the cached response, stale or not', async () => {
  const { read, settle } = setUp()
  source = () => say(1)
  await read()
  now += 61_000
  source = () => say(0, 'no-store', 404)
  await read()
  await settle()
  expect(await read()).toMatchObject({ status: 404, cache: 'BYPASS' })
})

describe('concurrent requests', () => {
  test('are sent as one upstream request', async () => {
    const { read, settle } = setUp()
    const { promise, resolve } = Promise.withResolvers<Response>()
    source = () => promise
    const responses = Promise.all(Array.from({ length: 100 }, () => read()))
    resolve(say(1))
    expect((await responses).map(({ body }) => body)).toEqual(Array(100).fill('{"price":1}'))
    expect(requestCount).toBe(1)
    await settle()
  })

  test('do not all fail because the first one did', async () => {
    const { read } = setUp()
    source = () => (requestCount === 1 ? say(0, 'no-store', 503) : say(1))
    const statuses = (await Promise.all(Array.from({ length: 20 }, () => read()))).map(({ status }) => status)
    expect(statuses).toEqual([503, ...Array(19).fill(200)])
    expect(requestCount).toBe(2)
    expect(await read()).toMatchObject({ cache: 'HIT' })
  })

  test('fail without a retry after a long wait for a shared failure', async () => {
    const { read } = setUp()
    source = async () => {
      await Promise.resolve()
      now += 8_000
      return say(0, 'no-store', 503)
    }
    const responses = await Promise.allSettled([read(), read(), read()])
    expect(requestCount).toBe(1)
    expect(responses[0]).toMatchObject({ value: { status: 503 } })
    expect(responses.slice(1)).toEqual(
      Array(2).fill({ status: 'rejected', reason: expect.objectContaining({ errorType: 'ServiceUnavailable' }) }),
    )
  })

  test('cause few upstream requests while none completes, and fail after twenty seconds', async () => {
    vi.useFakeTimers()
    try {
      const { read } = setUp()
      source = () => new Promise(() => undefined)
      const ended: unknown[] = []
      for (let client = 0; client < 50; client += 1) void read().catch(({ errorType }) => void ended.push(errorType))
      await vi.advanceTimersByTimeAsync(20_000)
      expect(ended).toEqual(Array(48).fill('ServiceUnavailable'))
      expect(requestCount).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })

  test('are not queued behind each other when the response is uncacheable', async () => {
    const { read } = setUp()
    source = () => say(1, 'no-cache')
    await read()
    let open = 0
    let most = 0
    source = async () => {
      open += 1
      most = Math.max(most, open)
      await new Promise((resolve) => setTimeout(resolve, 10))
      open -= 1
      return say(2, 'no-cache')
    }
    await Promise.all(Array.from({ length: 10 }, () => read()))
    expect(most).toBe(10)
  })
})

test.each([
  ['no-store', 200],
  ['no-cache', 200],
  ['private, max-age=60', 200],
  ['max-age=60', 200],
  ['public, max-age=0', 200],
  ['no-store', 404],
  ['public, max-age=60', 500],
  ['public, max-age=60', 429],
  ['public, max-age=60', 206],
])('%s of a %i is not cached', async (cacheControl, status) => {
  const { read } = setUp()
  source = () => say(1, cacheControl, status)
  expect(await read()).toMatchObject({ status, cache: 'BYPASS' })
  expect(await read()).toMatchObject({ status, cache: 'BYPASS' })
  expect(requestCount).toBe(2)
})

test('a 404 is cached for its max-age', async () => {
  const { read } = setUp()
  source = () => say(0, 'public, max-age=15', 404)
  await read()
  now += 14_000
  expect(await read()).toMatchObject({ status: 404, cache: 'HIT' })
  now += 1_000
  source = () => say(1)
  expect(await read()).toMatchObject({ status: 200, cache: 'MISS' })
})

test.each(['"1"', 'W/"1"', '"0", "1"', '*'])(
  'If-None-Match: %s is a 304 from the cached response',
  async (condition) => {
    const { get } = setUp()
    source = () => say(1)
    const init = { headers: { 'If-None-Match': condition } }
    for (const cache of ['MISS', 'HIT']) {
      const response = await get(init)
      expect([response.status, await response.text()]).toEqual([304, ''])
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'cf-cache-status': cache,
        'cache-control': policy,
        etag: '"1"',
      })
    }
    expect((await get({ headers: { 'If-None-Match': '"2"' } })).status).toBe(200)
    expect(requestCount).toBe(1)
  },
)

test('HEAD is served from a cached GET, with the same headers', async () => {
  const { get } = setUp()
  source = () => say(1)
  const head = await get({ method: 'HEAD' })
  expect([head.status, await head.text(), head.headers.get('ETag')]).toEqual([200, '', '"1"'])
  expect(await (await get()).text()).toBe('{"price":1}')
  expect(requestCount).toBe(1)
})

test('a response purged by tag is requested again', async () => {
  const { cache, read } = setUp()
  source = () => say(1)
  await read()
  cache.purge(['price:2'])
  expect(await read()).toMatchObject({ cache: 'HIT' })
  cache.purge(['price:1'])
  expect(await read()).toMatchObject({ cache: 'MISS' })
})

const entry = {
  status: 200,
  headers: new Headers(),
  tags: [],
  staleWhileRevalidate: 0,
  staleIfError: 0,
  retryAt: 0,
}

test('the store is bounded in entries and bytes, and evicts the least recently used', () => {
  const store = createCacheStore({ maxEntries: 3, maxBytes: 10_000 })
  const put = (name: string, size = 10) =>
    store.put(name, { ...entry, body: new Uint8Array(size), cachedAt: 0, maxAge: 60 })
  const there = () => ['a', 'b', 'c', 'd', 'e'].filter((name) => store.get(name, 0) !== undefined)
  for (const name of ['a', 'b', 'c']) put(name)
  store.get('a', 0)
  put('d')
  expect(there()).toEqual(['a', 'c', 'd'])
  put('e', 7_000)
  expect(there()).toEqual(['d', 'e'])
  put('d', 20_000)
  expect(there()).toEqual([])
  put('a')
  expect(store.get('a', 59_999)).toBeDefined()
  expect(store.get('a', 60_000)).toBeUndefined()
})
test('responses at the end of their policy leave the store within a minute of requests for others', () => {
  const store = createCacheStore({ maxEntries: 100, maxBytes: 100_000 })
  const put = (name: string, cachedAt: number, maxAge: number) =>
    store.put(name, { ...entry, body: new Uint8Array(10), cachedAt, maxAge, staleWhileRevalidate: 30 })
  const start = 1_000_000
  put('short', start, 10)
  put('long', start, 600)
  put('other', start + 59_999, 10)
  expect(store.get('short', start)).toBeDefined()
  put('another', start + 60_000, 10)
  expect(store.get('short', start)).toBeUndefined()
  expect(store.get('long', start)).toBeDefined()
  expect(store.get('other', start + 60_000)).toBeDefined()
})
