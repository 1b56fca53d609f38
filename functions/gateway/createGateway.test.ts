import { expect, test, vi } from 'vitest'
import { computeClientKey } from '#shared/http/computeClientKey.ts'
import { createEdgeCache } from './caching/createEdgeCache.ts'
import { createGateway } from './createGateway.ts'
import { noRateLimits } from './limits/rateLimits.ts'
import type { WorkerFetch } from './routing/connectWorkers.ts'
import { workerDeadlineMs } from './routing/forwardToWorker.ts'
import { getReadiness } from './service/getReadiness.ts'

/** A Worker that responds with the status at the end of the path: JSON, with a body only where HTTP allows one. */
const respondWithStatus: WorkerFetch = async (request) => {
  const status = Number(new URL(request.url).pathname.split('/').at(-1))
  const body = status === 304 ? null : JSON.stringify({ status })
  return new Response(body, { status, headers: { 'Content-Type': 'application/json', ETag: '"1"' } })
}

/** Echoes the request. */
const echo: WorkerFetch = async (request) => {
  const { pathname, search } = new URL(request.url)
  const headers = Object.fromEntries(request.headers)
  return Response.json({ method: request.method, path: pathname + search, headers, body: await request.text() })
}

const ready: WorkerFetch = async () => Response.json({ status: 'ok' })
const rateLimits = { quotes: 'off', submissions: 'off', reads: 'off' }

const setUp = (sepolia: Record<string, WorkerFetch>, trustedAddressHeader?: string) => {
  const lines: string[] = []
  const gateway = createGateway({
    workers: { sepolia },
    version: '1.2.3',
    log: (line) => lines.push(line),
    readinessTimeoutMs: 50,
    trustedAddressHeader,
  })
  const send = (path: string, init?: RequestInit) => gateway(new Request(`http://edgebook.test${path}`, init))
  return { send, lines }
}

const expectConventions = (response: Response) => {
  expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(response.headers.get('Access-Control-Allow-Headers')).toMatch(/Cache-Control, Content-Type, Authorization/)
  expect(response.headers.get('Access-Control-Expose-Headers')).toMatch(/ETag.*Retry-After.*X-Request-Id/)
  expect(response.headers.get('X-Request-Id')).toMatch(/^[\w-]{36}$/)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
}

test.each([200, 201, 304, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503])(
  'a %i of a Worker retains its headers and gets those of the gateway',
  async (status) => {
    const response = await setUp({ orders: respondWithStatus }).send(`/sepolia/api/v1/orders/${status}`)
    expect(response.status).toBe(status)
    expect(response.headers.get('ETag')).toBe('"1"')
    expect(response.headers.has('Retry-After')).toBe(status === 503)
    expectConventions(response)
  },
)

test.each([
  ['GET', '/nowhere', 404],
  ['GET', '/sepolia/nowhere', 404],
  ['GET', '/goerli/api/v1/version', 404],
  ['GET', '/mainnet/api/v1/version', 404],
  ['POST', '/healthz', 405],
  ['DELETE', '/', 405],
  ['GET', '/sepolia/api/v1/orders/by_uids', 405],
  ['GET', '/sepolia/api/v1/orders/simulate/', 405],
  ['GET', '/sepolia/api/v1/auction', 503],
  ['GET', '/readyz', 503],
  ['GET', '/', 200],
  ['GET', '/healthz', 200],
])('%s %s of the gateway itself is a %i in JSON', async (method, path, status) => {
  const response = await setUp({ orders: echo }).send(path, { method })
  expect(response.status).toBe(status)
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(response.headers.has('Retry-After')).toBe(status === 503)
  expectConventions(response)
})

test.each(['/', '/sepolia/api/v1/orders', '/goerli/x', '/nowhere'])('OPTIONS %s is a preflight', async (path) => {
  const response = await setUp({}).send(path, { method: 'OPTIONS' })
  expect(response.status).toBe(204)
  expect(await response.text()).toBe('')
  expect(response.headers.get('Access-Control-Allow-Methods')).toBe('GET, HEAD, POST, PUT, DELETE, OPTIONS')
  expect(response.headers.get('Access-Control-Max-Age')).toBe('86400')
  expectConventions(response)
})

test.each([
  ['tracing', 'baggage,content-type,sentry-trace,traceparent'],
  ['client libraries', 'x-stainless-lang, x-stainless-os, x-requested-with, authorization'],
  ['wallets', 'x-cow-sdk-version,infura-source'],
])('a preflight allows the headers of %s', async (_, requested) => {
  const headers = { Origin: 'https://dapp.example', 'Access-Control-Request-Headers': requested }
  const response = await setUp({}).send('/sepolia/api/v1/quote', { method: 'OPTIONS', headers })
  const allowed = (response.headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(/, */)
  expect(allowed).toEqual(expect.arrayContaining(['cache-control', 'authorization', ...requested.split(/, */)]))
  expectConventions(response)
})

test('the index names version and networks', async () => {
  const response = await setUp({ orders: echo }).send('/')
  expect(await response.json()).toMatchObject({
    name: 'edgebook',
    version: '1.2.3',
    networks: [{ name: 'sepolia', chainId: 11_155_111, path: '/sepolia/api/v1', localWallet: null }],
    links: { health: '/healthz', readiness: '/readyz' },
  })
})

test('a Worker receives method, query, headers and body, without the network segment or a trailing slash', async () => {
  const response = await setUp({ orders: echo }).send('/11155111/api/v1/orders/?a=%2F&b=/', {
    method: 'POST',
    body: '{"x":1}',
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'caller-1' },
  })
  expect(await response.json()).toEqual({
    method: 'POST',
    path: '/api/v1/orders?a=%2F&b=/',
    headers: { 'content-type': 'application/json', 'x-request-id': 'caller-1', 'x-client-key': 'unknown' },
    body: '{"x":1}',
  })
  expect(response.headers.get('X-Request-Id')).toBe('caller-1')
})

test.each([
  ['the trusted address header', 'CF-Connecting-IP', '2001:db8:1:2::/64'],
  ['no trusted address header', undefined, computeClientKey(undefined)],
])('a Worker receives the client address only from the gateway with %s', async (_, trusted, key) => {
  const headers = { 'X-Client-Key': 'another', 'CF-Connecting-IP': '2001:db8:1:2:3::4' }
  const { send } = setUp({ orders: echo }, trusted)
  const response = await send('/sepolia/api/v1/orders', { method: 'POST', body: '{}', headers })
  expect(await response.json()).toMatchObject({ headers: { 'x-client-key': key } })
})

test('a path retains its percent-encoding', async () => {
  const response = await setUp({ orders: echo }).send('/sepolia/api/v1/app_data/%252e%2F')
  expect(await response.json()).toMatchObject({ path: '/api/v1/app_data/%252e%2F' })
})

test.each(['', 'x'.repeat(65), 'a b', 'a"b'])('a request id %j is replaced', async (id) => {
  const response = await setUp({ orders: echo }).send('/sepolia/api/v1/orders', { headers: { 'X-Request-Id': id } })
  expectConventions(response)
  expect(await response.json()).toMatchObject({ headers: { 'x-request-id': response.headers.get('X-Request-Id') } })
})

test('the Cache-Control of a Worker is unchanged', async () => {
  const orders: WorkerFetch = async () => Response.json({}, { headers: { 'Cache-Control': 'public, max-age=60' } })
  const response = await setUp({ orders }).send('/sepolia/api/v1/orders')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60')
})

test('HEAD reaches the Worker as HEAD', async () => {
  const orders: WorkerFetch = async (request) => new Response(null, { headers: { 'X-Method': request.method } })
  const response = await setUp({ orders }).send('/sepolia/api/v1/orders', { method: 'HEAD' })
  expect(response.headers.get('X-Method')).toBe('HEAD')
})

test('the error of an unknown network lists the served ones', async () => {
  const response = await setUp({ orders: echo }).send('/goerli/api/v1/version')
  expect(await response.json()).toMatchObject({ errorType: 'NotFound', data: { networks: ['sepolia'] } })
})

test.each([
  ['/sepolia/api/v1/nothing', { errorType: 'NotFound' }],
  ['/1/markets/nothing', { message: expect.any(String) }],
  ['/accounts/0x12/nothing', { message: expect.any(String) }],
])('an unknown path %s is a 404 in the error format of its API', async (path, body) => {
  const response = await setUp({ orders: echo }).send(path)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject(body)
})

test('a Worker that throws is a 503 without details', async () => {
  const orders: WorkerFetch = async () => {
    throw new Error('connect postgres://user:secret@host')
  }
  const response = await setUp({ orders }).send('/sepolia/api/v1/orders')
  expect(response.status).toBe(503)
  expect(response.headers.get('Retry-After')).toBe('1')
  expectConventions(response)
  const body = await response.text()
  expect(JSON.parse(body)).toMatchObject({ errorType: 'ServiceUnavailable' })
  expect(body).not.toContain('secret')
})

test('a Worker that does not respond is a 503 after the deadline', async () => {
  vi.useFakeTimers()
  try {
    const pending = setUp({ orders: () => new Promise(() => undefined) }).send('/sepolia/api/v1/orders')
    await vi.advanceTimersByTimeAsync(workerDeadlineMs)
    const response = await pending
    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('1')
    expect(await response.json()).toMatchObject({ errorType: 'ServiceUnavailable' })
  } finally {
    vi.useRealTimers()
  }
})

test('a stream is passed through unbuffered', async () => {
  let release = () => {}
  const orders: WorkerFetch = async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
        release = () => controller.close()
      },
    })
    return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  }
  const response = await setUp({ orders }).send('/sepolia/api/v1/orders')
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n')
  release()
  expect((await reader?.read())?.done).toBe(true)
})

test('/readyz is ok only when every Worker of every network is ready', async () => {
  const response = await setUp({
    quotes: ready,
    orders: ready,
    debug: ready,
    status: ready,
    streams: ready,
    auctions: ready,
  }).send('/readyz/')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    status: 'ok',
    rateLimits,
    workers: {
      'quotes-sepolia': { status: 'ok' },
      'orders-sepolia': { status: 'ok' },
      'debug-sepolia': { status: 'ok' },
      'status-sepolia': { status: 'ok' },
      'streams-sepolia': { status: 'ok' },
      'auctions-sepolia': { status: 'ok' },
    },
  })
})

test('/readyz names every missing, silent or unavailable Worker', async () => {
  const never: WorkerFetch = () => new Promise(() => {})
  const respondWith = (body: object) => async () => Response.json({ ...body, stack: 'at secret' }, { status: 503 })
  const unavailable = respondWith({ status: 'unavailable', dependencies: { database: 'unavailable' } })
  const misconfigured = respondWith({ errorType: 'ServiceUnavailable', data: { settings: ['RPC_URL: missing'] } })
  const dependencies = { 'solver direct': 'unavailable' }
  const reasons = { 'solver direct': 'funds: the account holds 0 wei' }
  const broke = respondWith({ status: 'unavailable', dependencies, reasons })
  const { send } = setUp({ quotes: ready, orders: never, debug: unavailable, status: misconfigured, auctions: broke })
  const response = await send('/readyz')
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    status: 'unavailable',
    rateLimits,
    workers: {
      'quotes-sepolia': { status: 'ok' },
      'orders-sepolia': { status: 'silent' },
      'debug-sepolia': { status: 'unavailable', answer: { dependencies: { database: 'unavailable' } } },
      'status-sepolia': { status: 'unavailable', answer: { settings: ['RPC_URL: missing'] } },
      'streams-sepolia': { status: 'missing' },
      'auctions-sepolia': { status: 'unavailable', answer: { dependencies, reasons } },
    },
  })
})

test('/readyz checks the Workers at most once a second', async () => {
  let now = 0
  let requestCount = 0
  const orders: WorkerFetch = async (request) => {
    requestCount += 1
    return ready(request)
  }
  const app = getReadiness({
    deployed: { workers: { sepolia: { orders } }, sharedWorkers: {} },
    rateLimits: noRateLimits,
    timeoutMs: 1_000,
    now: () => now,
  })
  for (const at of [0, 1, 999, 1_000, 1_999]) {
    now = at
    await app.request('/readyz')
  }
  expect(requestCount).toBe(2)
})

test('/readyz of a gateway without networks is a 503', async () => {
  const gateway = createGateway({ workers: {}, version: '1.2.3', log: () => {} })
  expect((await gateway(new Request('http://edgebook.test/readyz'))).status).toBe(503)
})

test('the gateway reports errors of shared Workers in the format of the auxiliary API', async () => {
  const gateway = createGateway({
    workers: {},
    sharedWorkers: { tokens: async (request) => Response.json({ path: new URL(request.url).pathname }) },
    version: '1.2.3',
    log: () => undefined,
  })
  const send = (path: string, init?: RequestInit) => gateway(new Request(`http://edgebook.test${path}`, init))
  const forwarded = await send('/1/tokens/-/usdPrice/')
  expect(await forwarded.json()).toEqual({ path: '/1/tokens/-/usdPrice' })
  const missing = await send('/1/yield/pools-average-apr')
  expect([missing.status, Object.keys((await missing.json()) as object)]).toEqual([503, ['message']])
  expectConventions(missing)
  const tooLong = await send('/1/tokens/prices', { method: 'POST', body: 'x'.repeat(300_000) })
  expect(tooLong.status).toBe(413)
  expect(await tooLong.json()).toEqual({ message: expect.any(String), data: { maxBytes: 262_144 } })
})

test('tags in Cache-Purge are purged, and the client does not see the header', async () => {
  const path = `/sepolia/api/v1/orders/0x${'ab'.repeat(56)}`
  const orders: WorkerFetch = async ({ method }) =>
    method === 'DELETE'
      ? Response.json('Cancelled', { headers: { 'Cache-Purge': `order:0x${'ab'.repeat(56)}` } })
      : Response.json({}, { headers: { 'Cache-Control': 'public, max-age=60' } })
  const gateway = createGateway({
    workers: { sepolia: { orders } },
    version: '1.2.3',
    cache: createEdgeCache(Date.now),
    log: () => undefined,
  })
  const send = (method: string) => gateway(new Request(`http://edgebook.test${path}`, { method }))
  const read = async () => (await send('GET')).headers.get('CF-Cache-Status')
  expect([await read(), await read()]).toEqual(['MISS', 'HIT'])
  expect((await send('DELETE')).headers.has('Cache-Purge')).toBe(false)
  expect(await read()).toBe('MISS')
})

test('a cached response has the same headers, and its own request id', async () => {
  const orders: WorkerFetch = async () =>
    Response.json(
      { uid: 1 },
      { headers: { 'Cache-Control': 'public, max-age=60', ETag: '"1"', 'X-Request-Id': 'inner' } },
    )
  const lines: string[] = []
  const gateway = createGateway({
    workers: { sepolia: { orders } },
    version: '1.2.3',
    cache: createEdgeCache(Date.now),
    log: (line) => lines.push(line),
  })
  const path = `/sepolia/api/v1/orders/0x${'ab'.repeat(56)}`
  const send = async (init?: RequestInit) => {
    const { status, headers } = await gateway(new Request(`http://edgebook.test${path}`, init))
    const { age: _age, 'cf-cache-status': cache, 'x-request-id': requestId, ...rest } = Object.fromEntries(headers)
    return { status, cache, requestId, rest }
  }
  const miss = await send()
  const hits = [await send(), await send({ headers: { 'X-Request-Id': 'caller-1' } })]
  expect(miss.rest).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' })
  for (const hit of hits) expect(hit).toMatchObject({ status: 200, cache: 'HIT', rest: miss.rest })
  expect(new Set([miss, ...hits].map(({ requestId }) => requestId)).size).toBe(3)
  expect(hits[1]?.requestId).toBe('caller-1')
  const notModified = await send({ headers: { 'If-None-Match': '"1"' } })
  expect(notModified).toMatchObject({ status: 304, cache: 'HIT', rest: { 'access-control-allow-origin': '*' } })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { cache: 'MISS', route: '/{network}/api/v1/orders/{uid}', group: 'orders', network: 'sepolia' },
    ...[200, 200, 304].map((status) => ({ cache: 'HIT', status, route: '/{network}/api/v1/orders/{uid}' })),
  ])
})

test('a misspelt query parameter is named, though it reaches no route and no other client', async () => {
  const orders: WorkerFetch = async () => Response.json([], { headers: { 'Cache-Control': 'public, max-age=5' } })
  const gateway = createGateway({
    workers: { sepolia: { orders } },
    version: '1.2.3',
    cache: createEdgeCache(Date.now),
    log: () => undefined,
  })
  const ask = async (query: string) => {
    const url = `http://edgebook.test/sepolia/api/v1/explorer/orders?limit=5${query}`
    const { headers } = await gateway(new Request(url))
    return [headers.get('CF-Cache-Status'), headers.get('X-Ignored-Fields')]
  }
  expect(await ask('&statu=open&statu=all')).toEqual(['MISS', 'statu'])
  expect(await ask('')).toEqual(['HIT', null])
  expect(await ask('&statu=open')).toEqual(['HIT', 'statu'])
})

test('the upstream request of a cached response contains no header of the client', async () => {
  const gateway = createGateway({
    workers: { sepolia: { orders: echo } },
    version: '1.2.3',
    cache: createEdgeCache(Date.now),
    log: () => undefined,
  })
  const headers = { 'X-Forwarded-Host': 'evil', Cookie: 'a=b', 'If-None-Match': '"1"', 'Accept-Language': 'xx' }
  const request = new Request(`http://edgebook.test/100/api/v1/orders/0x${'AB'.repeat(56)}?evil=1`, { headers })
  expect((await gateway(request)).status).toBe(404)
  const known = new Request(`http://edgebook.test/11155111/api/v1/orders/0x${'AB'.repeat(56)}?evil=1`, { headers })
  expect(await (await gateway(known)).json()).toMatchObject({
    path: `/api/v1/orders/0x${'ab'.repeat(56)}`,
    headers: { accept: 'application/json', 'x-request-id': expect.any(String) },
  })
})
