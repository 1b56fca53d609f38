import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { buildSettledWin } from '#test/helpers/database/buildSettledWin.ts'
import { indexBlock } from '#test/helpers/database/indexBlock.ts'
import { waitForLog } from '#test/helpers/database/log/waitForLog.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { createAsyncApiValidator } from '#test/helpers/http/asyncApiValidator.ts'
import { type ReceivedEvent, readEvents } from '#test/helpers/http/readEvents.ts'
import { patienceMs } from '#test/helpers/patienceMs.ts'
import { openObjects } from '#test/helpers/stack/openObjects.ts'
import streams from './index.ts'

const { EventFeed } = await import('./EventFeed.ts')

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const uid = orderUidOf(1)
const { owner } = newOrder(1)
const ofOrder = `/api/v1/orders/${uid}/events`
const ofAccount = `/api/v1/account/${owner}/orders/events`

const { database, databaseUrl, close } = await startTestDatabase()
let settings: object
/** requests that the feeds received, and their response */
let asked: { name: string; body: Record<string, unknown> }[]
let answer: () => Response

beforeAll(async () => {
  await insertOrder(database, newOrder(1))
  const FEEDS = {
    getByName: (name: string) => ({
      fetch: async (request: Request) => {
        asked.push({ name, body: request.method === 'POST' ? ((await request.json()) as Record<string, unknown>) : {} })
        return answer()
      },
    }),
  }
  settings = { NETWORK: 'sepolia', DATABASE_URL: databaseUrl, RPC_URL: 'http://localhost:1', FEEDS, SLOTS: {} }
})
afterAll(close)
beforeEach(() => {
  asked = []
  answer = () => new Response('retry: 1\n\n')
})

const ask = async (path: string, init?: RequestInit, env: object = settings) => {
  const response = await streams.fetch(new Request(`http://streams${path}`, init), env, context)
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson && text ? JSON.parse(text) : text }
}

describe.each([
  ['of an order', ofOrder, { orderUid: uid }],
  ['of an account', ofAccount, { account: owner }],
])('a stream %s', (_, path, topic) => {
  test('comes from the feed of its topic, and must not be cached or buffered', async () => {
    const { status, headers, body } = await ask(path, { headers: { 'CF-Connecting-IP': '192.0.2.1' } })
    expect({ status, body }).toEqual({ status: 200, body: 'retry: 1\n\n' })
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    await ask(path.replace(/0x\w+/, (hex) => `0x${hex.slice(2).toUpperCase()}`))
    expect(asked[0]).toEqual({
      name: expect.stringMatching(/^sepolia:[0-3]$/),
      body: { feed: asked[0]?.name, topic, client: '192.0.2.1' },
    })
    expect(asked[1]?.body.topic).toEqual(topic)
    expect(asked[1]?.name).toBe(asked[0]?.name)
  })

  test.each<[string, string, Record<string, string>, string | undefined]>([
    ['the header', '', { 'Last-Event-ID': '7-8' }, '7-8'],
    ['the query', '?lastEventId=7-8', {}, '7-8'],
    ['the header before the query', '?lastEventId=7-8', { 'Last-Event-ID': '9-9' }, '9-9'],
    ['an empty header: from the beginning', '', { 'Last-Event-ID': '' }, undefined],
  ])('resumes from %s', async (__, query, headers, lastEventId) => {
    await ask(path + query, { headers })
    expect(asked[0]?.body.lastEventId).toBe(lastEventId)
  })

  test('HEAD opens no stream', async () => {
    const { status, headers } = await ask(path, { method: 'HEAD' })
    expect({ status, type: headers.get('Content-Type'), asked }).toEqual({
      status: 200,
      type: 'text/event-stream',
      asked: [],
    })
  })

  test.each([
    ['streamsPerClient', 50],
    ['streamsPerTopic', 2_000],
  ])('a stream above the limit is 429: %s', async (limit, max) => {
    answer = () => Response.json({ limit, max }, { status: 429 })
    const { status, headers, body } = await ask(path)
    expect({ status, retryAfter: headers.get('Retry-After'), body }).toEqual({
      status: 429,
      retryAfter: '30',
      body: { errorType: 'RateLimited', description: expect.stringContaining(`${max}`), data: { limit, max } },
    })
  })

  test('comes from a feed of the client when the feed of its topic is full', async () => {
    const full = () => Response.json({ limit: 'streamsPerTopic', max: 2_000 }, { status: 429 })
    answer = () => (asked.length === 1 ? full() : new Response('retry: 1\n\n'))
    expect(await ask(path, { headers: { 'CF-Connecting-IP': '192.0.2.1' } })).toMatchObject({ status: 200 })
    expect(asked.map(({ name }) => name)).toEqual([asked[0]?.name, `${asked[0]?.name}:192.0.2.1`])
    expect(asked[1]?.body.feed).toBe(asked[1]?.name)
  })

  test('a failing feed is 503', async () => {
    answer = () => {
      throw new Error('a secret')
    }
    const { status, body } = await ask(path)
    expect({ status, body }).toMatchObject({ status: 503, body: { errorType: 'ServiceUnavailable' } })
    expect(JSON.stringify(body)).not.toContain('secret')
  })
})

test.each([
  ['/api/v1/orders/0x12/events', 400, 'InvalidParameter'],
  ['/api/v1/account/vitalik/orders/events', 400, 'InvalidParameter'],
  [`${ofAccount}?lastEventId=${'1'.repeat(41)}`, 400, 'InvalidParameter'],
  [`/api/v1/orders/${orderUidOf(2).slice(0, -8)}65920080/events`, 404, 'OrderNotFound'],
])('%s is %i %s', async (path, expected, errorType) => {
  for (const method of ['GET', 'HEAD']) expect((await ask(path, { method })).status).toBe(expected)
  const { headers, body } = await ask(path)
  expect(body.errorType).toBe(errorType)
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(asked).toEqual([])
})

test('the stream of an order that is not indexed yet opens and waits', async () => {
  const { status, headers } = await ask(`/api/v1/orders/${orderUidOf(2)}/events`)
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/event-stream'])
  expect(asked[0]?.body.topic).toEqual({ orderUid: orderUidOf(2) })
})

test('the events of an order are 503 while the database is unavailable', async () => {
  const env = { ...settings, DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/d' }
  expect(await ask(ofOrder, {}, env)).toMatchObject({ status: 503, body: { errorType: 'ServiceUnavailable' } })
})

test('a stream whose alarm the platform lost continues with the next stream, with the fee that a trade paid in its price', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const SLOTS = { getByName: () => ({ take: async () => true, free: async () => undefined }) }
  const env = { ...settings, SLOTS }
  const feeds = openObjects(EventFeed, env)
  Object.assign(env, { FEEDS: feeds })
  const open = async (): Promise<ReceivedEvent[]> => {
    const events: ReceivedEvent[] = []
    const response = await streams.fetch(new Request(`http://streams${ofOrder}`), env, context)
    void readEvents(response, (event) => events.push(event))
    return events
  }
  const runAlarms = async () => {
    await waitForLog(database)
    return feeds.runAlarms()
  }
  const labelled = (label: string) => ({ name: 'order', data: expect.objectContaining({ label }) })
  const first = await open()
  expect(await runAlarms()).toBe(1)
  await expect.poll(() => first, { timeout: patienceMs }).toContainEqual(labelled('created'))

  feeds.loseAlarms()
  await indexBlock(database, 2, buildSettledWin(2, 77, uid, 1_000n))
  vi.setSystemTime(Date.now() + 120_000)
  expect(await runAlarms()).toBe(0)
  const second = await open()
  expect(await runAlarms()).toBe(1)
  vi.useRealTimers()
  for (const events of [first, second]) {
    await expect.poll(() => events, { timeout: patienceMs }).toContainEqual(labelled('traded'))
    const traded = events.find(({ data }) => (data as { label?: string }).label === 'traded')
    expect(traded?.data).toMatchObject({ trade: { feeAmount: '0', executedFee: '4' } })
  }
})

test('a WebSocket needs an upgrade, and above the limit is 429', async () => {
  expect(await ask('/api/v1/ws')).toMatchObject({ status: 400, body: { data: { field: 'Upgrade' } } })
  answer = () => Response.json({ limit: 'socketsPerClient', max: 50 }, { status: 429 })
  const headers = { Upgrade: 'websocket', 'CF-Connecting-IP': '192.0.2.1' }
  const { status, headers: sent, body } = await ask('/api/v1/ws', { headers })
  expect({ status, retryAfter: sent.get('Retry-After'), body }).toMatchObject({
    ...{ status: 429, retryAfter: '30' },
    body: { errorType: 'RateLimited', data: { limit: 'socketsPerClient', max: 50 } },
  })
})

test('the AsyncAPI document has each message of the WebSocket, with its schema', async () => {
  const { body } = await ask('/asyncapi.json')
  expect(Object.keys(body.components.messages)).toEqual(Object.keys(body.channels.events.messages))
  for (const name of Object.keys(body.components.messages)) {
    expect(body.components.schemas[name], name).toMatchObject({ additionalProperties: false })
  }
  const check = createAsyncApiValidator(body, 'receive')
  expect(check({ type: 'subscribe', id: 'a', channel: 'trades' })).toBeUndefined()
  expect(check({ type: 'subscribe', id: 'a', channel: 'trade' })).toContain('no message')
  expect(createAsyncApiValidator(body, 'send')({ type: 'pong' })).toBeUndefined()
})

test('the OpenAPI document has the events', async () => {
  const { body } = await ask('/openapi.json')
  expect(Object.keys(body.paths)).toEqual([
    '/api/v1/orders/{uid}/events',
    '/api/v1/account/{owner}/orders/events',
    '/api/v1/ws',
  ])
  expect(body.components.schemas.OrderEvent.properties.label.enum).toContain('undone')
})
