import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DueDelivery } from '#schema/queries/notifications/deliveries.ts'
import { updateCancelledOrders } from '#schema/queries/orders/cancellations.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { deliveries } from '#schema/tables/notifications/deliveries.ts'
import { notifications } from '#schema/tables/notifications/notifications.ts'
import { signedNonces } from '#schema/tables/notifications/signedNonces.ts'
import { subscriptions } from '#schema/tables/notifications/subscriptions.ts'
import { buildSettledWin } from '#test/helpers/database/buildSettledWin.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { indexBlock } from '#test/helpers/database/indexBlock.ts'
import { newNotification, newSubscription, subscriber } from '#test/helpers/database/newNotification.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type RunningReceiver, startReceiver } from '#test/helpers/http/startReceiver.ts'
import { consumeDeadLetters } from './consumeDeadLetters.ts'
import worker from './index.ts'

let server: TestDatabase
let receiver: RunningReceiver
let queue: DueDelivery[]

beforeAll(async () => {
  ;[server, receiver] = await Promise.all([startTestDatabase(), startReceiver()])
})
afterAll(() => Promise.all([server.close(), receiver.stop()]))
beforeEach(async () => {
  await emptyDatabase(server.database)
  queue = []
  receiver.received.length = 0
  receiver.answer({ status: 200 })
})

const buildEnv = () => ({
  DATABASE_URL: server.databaseUrl,
  // a port without a server
  RPC_URLS: '{"sepolia":"http://127.0.0.1:9"}',
  DELIVERIES: { sendBatch: async (batch: { body: DueDelivery }[]) => queue.push(...batch.map(({ body }) => body)) },
  PUBLIC_URL: 'https://book.example/',
  EMAIL_API_KEY: 're_key',
  EMAIL_FROM: 'book@example.com',
  EMAIL_URL: receiver.url,
  TELEGRAM_BOT_TOKEN: '',
  ALLOW_PRIVATE_TARGETS: 'true',
})
const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const post = async (path: string, body?: unknown) => {
  const request = new Request(`http://notifier${path}`, { method: 'POST', body: JSON.stringify(body) })
  const response = await worker.fetch(request, buildEnv(), ctx)
  return { status: response.status, body: await response.json() }
}
const subscribe = async (changes: Parameters<typeof newSubscription>[0] = {}) => {
  const target = `${receiver.url}/hook`
  const [row] = await server.database
    .insert(subscriptions)
    .values(newSubscription({ target, ...changes }))
    .returning()
  return row?.id ?? ''
}
const findSubscription = async () => (await server.database.select().from(subscriptions))[0]
const readBody = () => JSON.parse(receiver.received[0]?.body.toString() ?? 'null')

test('dispatches over HTTP and delivers from the queue, with addresses while the node is unavailable', async () => {
  await subscribe()
  await server.database.insert(notifications).values(newNotification(1, { createdAt: new Date() }))
  expect(await post('/dispatch')).toEqual({ status: 200, body: { notifications: 1, queued: 1 } })
  const messages = queue.map((body) => ({ body, ack: () => undefined, retry: () => undefined }))
  await worker.queue({ queue: 'edgebook-deliveries', messages }, buildEnv())
  expect(readBody()).toMatchObject({ type: 'order_filled', data: { account: subscriber } })
  expect(readBody().data.metadata.trade.buy).toMatchObject({ amount: '3000000000000000000', formatted: null })
})

test('a cancellation that a settlement in flight overtakes is corrected, and confirmed when a reorganisation undoes the fill', async () => {
  const { database } = server
  const order = newOrder(1, { sellAmount: 1_000n, buyAmount: 2_100n })
  const deliver = async () => {
    await post('/dispatch')
    const messages = queue.splice(0).map((body) => ({ body, ack: () => undefined, retry: () => undefined }))
    await worker.queue({ queue: 'edgebook-deliveries', messages }, buildEnv())
    const bodies = receiver.received.splice(0).map(({ body }) => JSON.parse(body.toString()))
    return bodies.map(({ type, data }) => (type === data.type ? type : `${data.type}: ${type}`)).toSorted()
  }
  await subscribe()
  await insertOrder(database, order)
  await updateCancelledOrders(database, order.chainId, [order.uid], 0)
  expect(await deliver()).toEqual(['order_cancelled'])
  await indexBlock(database, 2, buildSettledWin(2, 77, order.uid, order.sellAmount))
  expect(await deliver()).toEqual(['order_cancelled: notification.retracted', 'order_filled'])
  await indexBlock(database, 2, {}, true)
  expect(await deliver()).toEqual(['order_cancelled', 'order_filled: notification.retracted'])
})

test('dispatches every minute, and removes outdated rows', async () => {
  const old = new Date(Date.now() - 40 * 24 * 3_600_000)
  await subscribe({ createdAt: old })
  await subscribe({ target: 'old@example.com', channel: 'email', confirmedAt: null, createdAt: old })
  await server.database.insert(notifications).values(newNotification(1, { createdAt: new Date() }))
  await server.database.insert(signedNonces).values({ account: subscriber, nonce: '0x01', expiresAt: old })
  await worker.scheduled({}, buildEnv())
  expect(queue).toHaveLength(1)
  expect(await server.database.select().from(subscriptions)).toHaveLength(1)
  expect(await server.database.select().from(signedNonces)).toEqual([])
  await server.database.update(deliveries).set({ state: 'delivered', createdAt: old })
  await worker.scheduled({}, buildEnv())
  expect(await server.database.select().from(deliveries)).toEqual([])
})

test.each([
  ['as JSON', (challenge: string) => JSON.stringify({ challenge }), 'confirmed'],
  ['as text', (challenge: string) => `${challenge}\n`, 'confirmed'],
  ['not at all', () => 'ok', 'failed'],
  ['after too many bytes', (challenge: string) => `${' '.repeat(5_000)}${challenge}`, 'failed'],
])('a webhook is confirmed when it repeats the challenge: %s', async (_name, toAnswer, outcome) => {
  const id = await subscribe({ confirmedAt: null })
  receiver.answer(({ body }) => ({ status: 200, body: toAnswer(JSON.parse(body.toString()).data.challenge) }))
  expect(await post('/challenge', { subscriptionId: id })).toMatchObject({ status: 200, body: { outcome } })
  expect(readBody()).toMatchObject({ type: 'subscription.challenge', data: { challenge: expect.any(String) } })
  expect(receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  expect((await findSubscription())?.confirmedAt).toEqual(outcome === 'confirmed' ? expect.any(Date) : null)
})

test('the response for a failed webhook challenge has the reason', async () => {
  const id = await subscribe({ confirmedAt: null })
  receiver.answer({ status: 500, body: 'secret' })
  const reason = 'responded with 500'
  expect((await post('/challenge', { subscriptionId: id })).body).toEqual({ outcome: 'failed', reason })
})

test('the challenge of an e-mail address is a mail with a link', async () => {
  const id = await subscribe({ channel: 'email', target: 'a@example.com', confirmedAt: null, confirmToken: 'abc' })
  expect((await post('/challenge', { subscriptionId: id })).body).toEqual({ outcome: 'sent' })
  // suppresses out-of-office responses (RFC 3834)
  expect(readBody()).toMatchObject({ to: ['a@example.com'], headers: { 'Auto-Submitted': 'auto-generated' } })
  expect(readBody().text).toContain('https://book.example/subscriptions/confirm/abc')
  expect((await findSubscription())?.confirmedAt).toBeNull()
})

test.each([
  ['webhook', {}],
  ['email', { target: 'a@example.com', confirmToken: 'abc' }],
] as const)('never challenges a confirmed %s target again', async (channel, changes) => {
  const confirmedAt = new Date('2026-01-01T00:00:00Z')
  const id = await subscribe({ channel, confirmedAt, ...changes })
  expect((await post('/challenge', { subscriptionId: id })).body).toEqual({ outcome: 'confirmed' })
  expect(receiver.received).toEqual([])
  expect((await findSubscription())?.confirmedAt).toEqual(confirmedAt)
})

test('sends a test to confirmed targets only', async () => {
  const id = await subscribe()
  expect((await post('/test', { subscriptionId: id })).body).toEqual({ outcome: 'delivered' })
  expect(readBody()).toMatchObject({ type: 'test', data: { account: subscriber } })
  receiver.answer({ status: 410 })
  const gone = { outcome: 'failed', reason: 'responded with 410: the target no longer exists' }
  expect((await post('/test', { subscriptionId: id })).body).toEqual(gone)
  await server.database.update(subscriptions).set({ confirmedAt: null })
  const refused = { outcome: 'failed', reason: 'the subscription is not confirmed' }
  expect((await post('/test', { subscriptionId: id })).body).toEqual(refused)
  expect(receiver.received).toHaveLength(2)
})

test('reports a disabled channel', async () => {
  const id = await subscribe({ channel: 'telegram', target: '1' })
  const reason = 'the telegram channel is disabled on this deployment'
  expect((await post('/test', { subscriptionId: id })).body).toEqual({ outcome: 'failed', reason })
})

test('rejects a request without a subscription', async () => {
  expect((await post('/test', { subscriptionId: crypto.randomUUID() })).status).toBe(404)
  expect((await post('/challenge', { subscriptionId: 'x' })).status).toBe(400)
  expect((await post('/challenge')).status).toBe(400)
})

test('rejects queue batches with malformed settings', async () => {
  const env = { ...buildEnv(), RPC_URLS: 'no' }
  await expect(worker.queue({ queue: 'edgebook-deliveries', messages: [] }, env)).rejects.toThrow('RPC_URLS')
  await expect(worker.scheduled({}, env)).rejects.toThrow('RPC_URLS')
})

test.each(['edgebook-deliveries-dead', 'edgebook-deliveries-dead-staging'])(
  'empties %s with a line for each message, whatever it contains and without settings',
  async (queueName) => {
    const ended: string[] = []
    const bodies = [{ id: 7, subscriptionId: 'secret', attempt: 2 }, 'no JSON of ours', undefined, { id: 'x' }]
    const messages = bodies.map((body) => ({ body, ack: () => ended.push('ack'), retry: () => ended.push('retry') }))
    await worker.queue({ queue: queueName, messages }, {})
    expect(ended).toEqual(['ack', 'ack', 'ack', 'ack'])
    const logged: unknown[] = []
    consumeDeadLetters({ log: (entry) => logged.push(entry) }, messages)
    expect(logged).toMatchObject([{ deliveryId: 7, attempt: 2 }, { deliveryId: null }, { deliveryId: null }, {}])
    expect(JSON.stringify(logged)).not.toContain('secret')
  },
)

test('the watchdog deletes old notifications with their deliveries, and none without the setting', async () => {
  await subscribe()
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  // the event of the second was indexed late: it is newer than the one behind it
  const ages = [60, 1, 59, 30]
  await server.database
    .insert(notifications)
    .values(ages.map((age, i) => newNotification(i + 1, { createdAt: daysAgo(age), dispatchedRevision: 1 })))
  const [first] = await server.database.select().from(notifications).orderBy(notifications.id)
  const [subscription] = await server.database.select().from(subscriptions)
  await server.database.insert(deliveries).values({
    ...{ notificationId: first?.id ?? 0, subscriptionId: subscription?.id ?? '', revision: 1, isCorrection: false },
  })
  const list = async () =>
    (await server.database.select().from(notifications).orderBy(notifications.id)).map(({ eventId }) => eventId)
  await worker.scheduled({}, buildEnv())
  expect(await list()).toEqual([1, 2, 3, 4])
  await worker.scheduled({}, { ...buildEnv(), NOTIFICATION_RETENTION_DAYS: '31' })
  expect(await list()).toEqual([2, 4])
  expect(await server.database.select().from(deliveries)).toEqual([])
})
