import { afterEach, expect, test, vi } from 'vitest'
import { createRandom } from '#tools/stack/createRandom.ts'
import { describedSharedWorkers, describedWorkers, findWorkerRoutes } from '#tools/workers/describedWorkers.ts'
import { createGateway } from '../createGateway.ts'
import type { WorkerFetch } from '../routing/connectWorkers.ts'
import type { RouteTarget } from '../routing/createTargetFinder.ts'
import { logRequest } from './logRequests.ts'

afterEach(() => vi.restoreAllMocks())

const setUp = (workers: Record<string, WorkerFetch>, sharedWorkers: Record<string, WorkerFetch> = {}) => {
  const lines: string[] = []
  const gateway = createGateway({
    ...{ workers: { sepolia: workers }, sharedWorkers, version: '1', log: (line) => lines.push(line) },
  })
  const send = (path: string, init?: RequestInit) => gateway(new Request(`http://edgebook.test${path}`, init))
  return { send, lines, last: () => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown> }
}

const respondWith =
  (headers: Record<string, string>): WorkerFetch =>
  async () =>
    Response.json({}, { headers })

const uid = `0x${'ab'.repeat(56)}`
const timing = { 'Server-Timing': 'db;dur=12.6;desc="2", rpc;dur=30.2;desc="1", solver;dur=9.0;desc="4"' }

test('a line has the request id, the route and the round trips', async () => {
  const { send, last } = setUp({ orders: respondWith(timing) })
  await send(`/11155111/api/v1/orders/${uid}/?key=1`, { headers: { 'X-Request-Id': 'r-1' } })
  expect(last()).toEqual({
    message: 'request',
    requestId: 'r-1',
    network: 'sepolia',
    group: 'orders',
    route: '/{network}/api/v1/orders/{uid}',
    method: 'GET',
    status: 200,
    ms: expect.any(Number),
    dbTrips: 2,
    dbMs: 13,
    rpcTrips: 1,
    rpcMs: 30,
  })
})

test('a log share drops lines of requests that are neither refused nor slow', () => {
  const lines: { status: number; ms: number; share?: number }[] = []
  const rolls = [0.09, 0.1, 0.5, 0.09, 0.1]
  const requestLog = {
    ...{ log: (line: string) => lines.push(JSON.parse(line)), share: 0.1 },
    random: () => rolls.shift() ?? expect.fail('this request is always logged'),
  }
  const target = { network: undefined, route: undefined } as unknown as RouteTarget
  const write = (status: number, ms: number) =>
    logRequest(requestLog, { requestId: 'r', method: 'GET', target, response: new Response(null, { status }), ms })
  for (const [status, ms] of [
    [200, 5],
    [304, 5],
    [200, 999],
    [200, 1_000],
    [404, 5],
    [404, 5],
    [400, 5],
    [503, 5],
  ] as const)
    write(status, ms)
  expect(lines.map(({ status, ms, share }) => [status, ms, share])).toEqual([
    [200, 5, 0.1],
    [200, 1_000, undefined],
    [404, 5, 0.1],
    [400, 5, undefined],
    [503, 5, undefined],
  ])
})

test.each([
  ['HIT', 0],
  ['STALE', 0],
  ['UPDATING', 0],
  ['MISS', 2],
  ['DYNAMIC', 2],
])('%s: a response counts %i round trips to the database', async (status, dbTrips) => {
  const { send, last } = setUp({ orders: respondWith({ ...timing, 'CF-Cache-Status': status }) })
  await send(`/sepolia/api/v1/orders/${uid}`)
  expect(last()).toMatchObject({ cache: status, dbTrips })
})

test.each([
  ['GET', '/sepolia/api/v1/nothing/0xsecret', { route: null, network: 'sepolia', status: 404 }],
  ['GET', '/nowhere/at/all', { route: null, network: null, status: 404 }],
  ['GET', `/goerli/api/v1/orders/${uid}`, { route: '/{network}/api/v1/orders/{uid}', network: null, status: 404 }],
  ['GET', '/sepolia/api/v1/auction', { route: '/{network}/api/v1/auction', status: 503 }],
  [
    'GET',
    '/100/tokens/-/usdPrice',
    { route: '/{chainId}/tokens/{token}/usdPrice', network: 'gnosis', group: 'tokens' },
  ],
  ['OPTIONS', '/sepolia/api/v1/orders', { route: '/{network}/api/v1/orders', method: 'OPTIONS', status: 204 }],
  ['POST', '/healthz', { route: '/healthz', network: null, group: 'gateway', status: 405 }],
])('%s %s', async (method, path, expected) => {
  const { send, last } = setUp({ orders: respondWith({}) })
  await send(path, { method })
  expect(last()).toMatchObject(expected)
})

test('no log line of gateway or Workers has a signature, key, e-mail or address of a client', async () => {
  const written: string[] = []
  for (const method of ['log', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void written.push(words.join(' ')))
  const { send, lines } = setUp(describedWorkers, describedSharedWorkers)
  const random = createRandom(7)
  const hex = (bytes: number) =>
    Array.from({ length: bytes * 2 }, () => Math.floor(random() * 16).toString(16)).join('')
  const routes = findWorkerRoutes()
  const secrets: string[] = []
  const secret = (text: string) => {
    secrets.push(text)
    return text
  }
  for (let i = 0; i < 120; i++) {
    const [method = 'GET', template = '/'] = routes[i % routes.length]?.split(' ') ?? []
    const signature = `0x${secret(hex(65))}`
    const inPath = template
      .replace('{network}', 'sepolia')
      .replace('{chainId}', '11155111')
      .replace(/\{\w+\}/g, random() < 0.5 ? signature : uid)
    const path = random() < 0.1 ? `/sepolia/${signature}` : inPath
    const email = `${secret(hex(8))}@example.com`
    const key = secret(`sk_${hex(12)}`)
    const body = { signature, from: `0x${'01'.repeat(20)}`, email, appData: JSON.stringify({ key }), code: key }
    await send(`${path}?signature=${signature}&api_key=${key}&email=${email}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        'X-API-Key': key,
        Cookie: `session=${key}`,
        'CF-Connecting-IP': secret(`203.0.113.${100 + (i % 100)}`),
        'Content-Type': 'application/json',
        'X-Request-Id': `id ${email}`,
      },
      ...(method === 'GET' ? {} : { body: random() < 0.2 ? signature : JSON.stringify(body) }),
    })
  }
  expect(lines).toHaveLength(120)
  const text = [...lines, ...written].join('\n').toLowerCase()
  expect(secrets.filter((one) => text.includes(one.toLowerCase()))).toEqual([])
  expect(written.length).toBeGreaterThan(5)
  const ids = lines.map((line) => JSON.parse(line).requestId)
  for (const line of written) expect(ids, line).toContain(JSON.parse(line).requestId)
})
