import { beforeAll, expect, test } from 'vitest'
import { type ErrorType, errorCatalogue } from '#shared/http/errorCatalogue.ts'
import { describedSharedWorkers, describedWorkers } from '#tools/workers/describedWorkers.ts'
import { createEdgeCache } from './caching/createEdgeCache.ts'
import { findCacheKey } from './caching/findCacheKey.ts'
import { createGateway } from './createGateway.ts'
import { connectRateLimits } from './limits/rateLimits.ts'
import type { OpenApiDocument } from './openapi/buildOpenApiDocument.ts'

/** A gateway whose Workers have no database, node or solver: every request to a dependency fails. */
let isAllowed = true
const limiter = { limit: async () => ({ success: isAllowed }) }
const names = ['LIMIT_QUOTES', 'LIMIT_SUBMISSIONS', 'LIMIT_READS']
const gateway = createGateway({
  workers: { sepolia: describedWorkers },
  sharedWorkers: describedSharedWorkers,
  version: '1.2.3',
  rateLimits: connectRateLimits({
    RATE_LIMITS: JSON.stringify(Object.fromEntries(names.map((name) => [name, { limit: 5, period: 10 }]))),
    ...Object.fromEntries(names.map((name) => [name, limiter])),
  }),
  cache: createEdgeCache(Date.now),
  findAsset: async (path) =>
    path.endsWith('nonsense')
      ? new Response(null, { status: 404 })
      : new Response('', { headers: { 'Content-Type': 'text/html', ETag: '"1"' } }),
  localChains: { sepolia: 'http://127.0.0.1:9' },
  log: () => undefined,
  readinessTimeoutMs: 1_000,
})

type Operation = {
  method: string
  path: string
  responses: Record<string, unknown>
  takesBody: boolean
  /** names of its query parameters */
  query: string[]
}
let operations: Operation[]

beforeAll(async () => {
  const document = (await (await gateway(new Request('http://localhost/openapi.json'))).json()) as OpenApiDocument
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      responses: (operation as { responses: Record<string, unknown> }).responses,
      takesBody: 'requestBody' in (operation as object),
      query: ((operation as { parameters?: { in: string; name: string }[] }).parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name),
    })),
  )
})

const values: Record<string, string> = {
  network: 'sepolia',
  chainId: '11155111',
  uid: `0x${'12'.repeat(56)}`,
  hash: `0x${'12'.repeat(32)}`,
  tx_hash: `0x${'12'.repeat(32)}`,
  auction_id: '7',
  pair: `--0x${'12'.repeat(20)}`,
  code: 'FRIENDS',
  file: 'docs.js',
}

/** An invalid value of every parameter, except those of pages, which accept any short text. */
const nonsense = 'nonsense'.repeat(20)

/** A path with all parameters valid, or all invalid. */
const fill = (path: string, isGood: boolean): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    isGood || name === 'network' || name === 'chainId' ? (values[name] ?? `0x${'12'.repeat(20)}`) : nonsense,
  )

const send = (method: string, path: string, init: RequestInit = {}) =>
  gateway(new Request(`http://localhost${path}`, { method, ...init }))

/** Properties of every response; errors are also never cached, and link to a row of the catalogue with their status. */
const expectConventions = (response: Response, what: string): void => {
  const { headers, status } = response
  // an unavailable dependency is a regular response of readiness
  const isError = status >= 400 && !what.includes('/readyz → 503')
  const [, linked] = /^<\/errors#(\w+)>; rel="help"$/.exec(headers.get('Link') ?? '') ?? []
  const seen = {
    what,
    origin: headers.get('Access-Control-Allow-Origin'),
    exposes: /ETag.*Retry-After.*X-Request-Id/.test(headers.get('Access-Control-Expose-Headers') ?? ''),
    requestId: /^[\w-]{36}$/.test(headers.get('X-Request-Id') ?? ''),
    retryAfter: headers.has('Retry-After'),
    ...(status >= 400 ? { cacheControl: headers.get('Cache-Control'), type: headers.get('Content-Type') } : {}),
    ...(isError ? { status: errorCatalogue[linked as ErrorType]?.status } : {}),
  }
  expect(seen).toEqual({
    what,
    origin: '*',
    exposes: true,
    requestId: true,
    retryAfter: status === 503 || status === 429,
    ...(status >= 400 ? { cacheControl: 'no-store', type: expect.stringMatching(/^application\/json/) } : {}),
    ...(isError ? { status } : {}),
  })
  expect(headers.get('Cache-Control'), what).toBeTruthy()
}

const json = { 'Content-Type': 'application/json' }

/**
 * Kinds of failure, each on every route that can have it: how to provoke it, and the possible statuses; 200 is a cached
 * response.
 */
const failures: [string, (operation: Operation) => Promise<Response> | undefined, number[]][] = [
  [
    'no dependency available',
    ({ method, path, takesBody }) => send(method, fill(path, true), takesBody ? { headers: json, body: '{}' } : {}),
    [200, 400, 401, 404, 500, 503],
  ],
  [
    'malformed parameters',
    ({ method, path }) => (/\{(?!network|chainId)/.test(path) ? send(method, fill(path, false)) : undefined),
    [400, 404, 503],
  ],
  ['an unknown path below it', ({ method, path }) => send(method, `${fill(path, true)}/nothing/here/at/all`), [404]],
  ['a method that it does not have', ({ path }) => send('PATCH', fill(path, true)), [405]],
  [
    'a body that is not JSON',
    ({ method, path, takesBody }) =>
      takesBody ? send(method, fill(path, true), { headers: { 'Content-Type': 'text/plain' }, body: 'a' }) : undefined,
    [400, 415],
  ],
  [
    'a body that is too long',
    ({ method, path, takesBody }) =>
      takesBody ? send(method, fill(path, true), { headers: json, body: ' '.repeat(300_000) }) : undefined,
    [413],
  ],
  [
    'a URL that is too long',
    ({ method, path }) => send(method, `${fill(path, true)}?a=${'a'.repeat(17_000)}`),
    [414, 200],
  ],
  [
    'headers that are too large',
    ({ method, path }) => send(method, fill(path, true), { headers: { 'X-Long': 'a'.repeat(17_000) } }),
    [431, 200],
  ],
  [
    'one request too many',
    async ({ method, path }) => {
      isAllowed = false
      const response = await send(method, `${fill(path, true)}?once`)
      isAllowed = true
      return response
    },
    [429, 200],
  ],
]

test.each(failures)('every route with %s', async (_, provoke, statuses) => {
  expect(operations.length).toBeGreaterThan(40)
  let tried = 0
  for (const operation of operations) {
    const response = await provoke(operation)
    if (!response) continue
    tried += 1
    const what = `${operation.method} ${operation.path} → ${response.status}`
    expectConventions(response, what)
    expect(statuses, what).toContain(response.status)
    const isDocumented =
      String(response.status) in operation.responses || response.status === 404 || response.status === 405
    expect(isDocumented, `${what} is in the document`).toBe(true)
    expect(response.headers.has('RateLimit-Policy'), `${what} names its limit`).toBe(
      ![414, 431].includes(response.status) && !response.headers.get('Cache-Control')?.startsWith('public'),
    )
  }
  expect(tried).toBeGreaterThan(5)
})

test('every query parameter of a cacheable route is in its key', () => {
  const cacheable = operations.flatMap(({ method, path, query }) => {
    const url = new URL(`http://localhost${fill(path, true)}?${query.map((name) => `${name}=1`).join('&')}`)
    const key = method === 'GET' ? findCacheKey(url) : undefined
    return key ? [{ path, query: query.toSorted(), keyed: [...new URL(key.url, url).searchParams.keys()] }] : []
  })
  expect(cacheable.length).toBeGreaterThan(15)
  for (const { path, query, keyed } of cacheable) expect([path, keyed]).toEqual([path, query])
})
