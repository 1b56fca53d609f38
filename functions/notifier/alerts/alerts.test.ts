import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { takeDueAlerts } from '#schema/queries/alarms/alertOutbox.ts'
import { alerts } from '#schema/tables/alarms/alerts.ts'
import { notifications } from '#schema/tables/notifications/notifications.ts'
import type { NetworkStatus } from '#shared/alarms/networkStatusSchema.ts'
import type { JsonObject } from '#shared/jsonObject.ts'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newNotification } from '#test/helpers/database/newNotification.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type RunningReceiver, startReceiver } from '#test/helpers/http/startReceiver.ts'
import { settingsSchema } from '../settings.ts'
import { connectAlertChannels } from './connectAlertChannels.ts'
import { evaluateAlarms } from './evaluateAlarms.ts'
import { sendAlerts } from './sendAlerts.ts'

const latency = { count: 10, p50Ms: 10, p95Ms: 20, p99Ms: 30 }
const healthy: NetworkStatus = {
  state: 'ok',
  chainId: networks.sepolia.chainId,
  time: '2026-11-01T00:00:00.000Z',
  pauses: [],
  quotes: latency,
  submissions: latency,
  timeToFill: latency,
  auctions: { newestId: 4, newestAgeSeconds: 10, openOrders: 1, lastWinAgeSeconds: 9, fillsLastHour: 0 },
  indexer: {
    block: 100,
    head: 100,
    safeBlock: 1,
    finalizedBlock: 1,
    lagBlocks: 0,
    lagSeconds: 0,
    headAgeSeconds: 5,
    difference: null,
  },
  notifications: { oldestUndeliveredSeconds: null },
  solvers: [],
  hours: [],
}
const stuck = { ...healthy, auctions: { ...healthy.auctions, newestAgeSeconds: 61 } }
const minute = 60_000
/** Signatures are valid for five minutes of real time. */
const start = Date.now()

let server: TestDatabase
let receiver: RunningReceiver
let now: number
let log: JsonObject[]

beforeAll(async () => {
  ;[server, receiver] = await Promise.all([startTestDatabase(), startReceiver()])
})
afterAll(() => Promise.all([server.close(), receiver.stop()]))
beforeEach(async () => {
  await emptyDatabase(server.database)
  receiver.received.length = 0
  receiver.answer({ status: 200 })
  now = start
  log = []
})

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const noWebhook = { ALERT_WEBHOOK_URL: '', ALERT_WEBHOOK_SECRET: '' }
const buildDeps = (changes: Record<string, unknown> = {}) => {
  const settings = settingsSchema.parse({
    ...{ DATABASE_URL: server.databaseUrl, RPC_URLS: '{}', DELIVERIES: { sendBatch: async () => undefined } },
    ...{ PUBLIC_URL: 'https://book.example', ALLOW_PRIVATE_TARGETS: 'true', EMAIL_URL: receiver.url },
    ...{ ALERT_WEBHOOK_URL: `${receiver.url}/hook`, ALERT_WEBHOOK_SECRET: secret, ...changes },
  })
  return {
    database: server.database,
    channels: connectAlertChannels(settings),
    publicUrl: 'https://book.example',
    now: () => now,
    log: (entry: JsonObject) => log.push(entry),
  }
}
type Deps = ReturnType<typeof buildDeps>
const evaluate = (answer: () => Promise<Response>, deps: Deps = buildDeps()) =>
  evaluateAlarms({ ...deps, statuses: [{ network: networks.sepolia, status: { fetch: answer } }] })
const respond = (status: NetworkStatus) => async () => Response.json(status)
const readBodies = () => receiver.received.map(({ body }) => JSON.parse(body.toString()))

test('a crossed limit is posted once with a valid signature, and its end as well', async () => {
  const deps = buildDeps()
  await evaluate(respond(stuck))
  await sendAlerts(deps)
  await evaluate(respond(stuck))
  await sendAlerts(deps)
  const [request, ...others] = receiver.received
  expect(others).toEqual([])
  const headers = request?.headers as Record<string, string>
  expect(new Webhook(secret).verify(request?.body.toString() ?? '', headers)).toMatchObject({
    type: 'alarm.raised',
    data: { network: 'sepolia', alarm: 'auctionAge', solver: null, value: '1 min 1 s' },
  })
  now += minute
  await evaluate(respond(healthy))
  await sendAlerts(deps)
  expect(readBodies().map(({ type }) => type)).toEqual(['alarm.raised', 'alarm.resolved'])
  expect(readBodies()[1].data.text).toContain('for 1 min')
})

test('a notification that waits here counts, though the status of a network with its own database does not see it', async () => {
  await server.database
    .insert(notifications)
    .values(newNotification(1, { createdAt: new Date(Date.now() - 6 * minute) }))
  await evaluate(respond(healthy))
  now += minute
  await evaluate(respond(healthy))
  await sendAlerts(buildDeps())
  expect(readBodies()).toMatchObject([{ type: 'alarm.raised', data: { network: 'sepolia', alarm: 'undelivered' } }])
})

test.each([
  ['responds 503', async () => new Response(null, { status: 503 })],
  ['rejects', () => Promise.reject(new Error('no Worker'))],
  ['is malformed', async () => Response.json({ state: 'ok' })],
])('a status that %s for a minute is an alarm', async (_, answer) => {
  await evaluate(answer)
  now += minute
  await evaluate(answer)
  await sendAlerts(buildDeps())
  expect(readBodies()).toMatchObject([{ type: 'alarm.raised', data: { alarm: 'unavailable' } }])
})

test('a crash between evaluation and sending loses no alert, and one after sending repeats its id', async () => {
  await evaluate(respond(stuck))
  // this run ends before it sends
  await takeDueAlerts(server.database, { limit: 10, leaseMs: minute, now: new Date(now) })
  await sendAlerts(buildDeps())
  expect(receiver.received).toEqual([])
  now += minute
  await sendAlerts(buildDeps())
  // this run ends before it records the outcome
  await server.database.update(alerts).set({ sentAt: null, nextAttemptAt: new Date(now) })
  await sendAlerts(buildDeps())
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(receiver.received).toHaveLength(2)
})

test('a rejected alert is repeated after a minute, and logged without its target', async () => {
  receiver.answer({ status: 500 })
  await evaluate(respond(stuck))
  await sendAlerts(buildDeps())
  expect(log).toMatchObject([{ message: 'alert was not sent', channel: 'webhook', reason: 'responded with 500' }])
  expect(JSON.stringify(log)).not.toContain(receiver.url)
  receiver.answer({ status: 200 })
  await sendAlerts(buildDeps())
  expect(receiver.received).toHaveLength(1)
  now += minute
  await sendAlerts(buildDeps())
  await sendAlerts(buildDeps())
  expect(receiver.received).toHaveLength(2)
})

test('an e-mail names the network, the limit and the advice, without a link to unsubscribe', async () => {
  const deps = buildDeps({
    ...{ ...noWebhook, ALERT_EMAIL: 'ops@example.com', EMAIL_API_KEY: 'k', EMAIL_FROM: 'book@example.com' },
  })
  await evaluate(respond(stuck), deps)
  await sendAlerts(deps)
  const [mail] = readBodies()
  expect(mail).toMatchObject({ to: ['ops@example.com'], subject: expect.stringMatching(/^sepolia: alarm: /) })
  expect(mail.text).toContain('Limit: > 60.')
  expect(mail.text).toContain('https://book.example/status')
  expect(mail.headers).toEqual({ 'Auto-Submitted': 'auto-generated' })
  expect(JSON.stringify(mail).toLowerCase()).not.toContain('unsubscribe')
})

test('without a target no status is requested', async () => {
  let requests = 0
  const count = async () => {
    requests += 1
    return Response.json(stuck)
  }
  await evaluate(count, buildDeps(noWebhook))
  expect(requests).toBe(0)
})

test('alarms that cannot be recorded are logged with their names', async () => {
  const database = { execute: () => Promise.reject(new Error('away')) } as unknown as Deps['database']
  await evaluate(respond(stuck), { ...buildDeps(), database })
  expect(log).toMatchObject([{ message: 'alarms were not recorded', network: 'sepolia', alarms: ['auctionAge'] }])
})

test('a webhook without its secret is refused', () => {
  expect(() => buildDeps({ ALERT_WEBHOOK_SECRET: '' })).toThrow(
    'ALERT_WEBHOOK_URL and ALERT_WEBHOOK_SECRET need each other',
  )
})
