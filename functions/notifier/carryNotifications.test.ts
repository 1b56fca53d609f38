import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '#schema/client.ts'
import { deleteOldNotifications } from '#schema/queries/notifications/deleteOldNotifications.ts'
import type { DueDelivery } from '#schema/queries/notifications/deliveries.ts'
import { retractNotifications } from '#schema/queries/notifications/retractNotifications.ts'
import { notifications } from '#schema/tables/notifications/notifications.ts'
import { subscriptions } from '#schema/tables/notifications/subscriptions.ts'
import { networks } from '#shared/networks.ts'
import { captureLog } from '#test/helpers/database/archive/captureLog.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newNotification, newSubscription } from '#test/helpers/database/newNotification.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type RunningReceiver, startReceiver } from '#test/helpers/http/startReceiver.ts'
import { carryNotifications } from './carryNotifications.ts'
import worker from './index.ts'

const { base, sepolia } = networks

let home: TestDatabase
let other: TestDatabase
let receiver: RunningReceiver
let queue: DueDelivery[]

beforeAll(async () => {
  ;[home, other, receiver] = await Promise.all([startTestDatabase(), startTestDatabase(), startReceiver()])
})
afterAll(() => Promise.all([home.close(), other.close(), receiver.stop()]))
beforeEach(async () => {
  await Promise.all([emptyDatabase(home.database), emptyDatabase(other.database)])
  queue = []
  receiver.received.length = 0
  await home.database
    .insert(subscriptions)
    .values(newSubscription({ target: `${receiver.url}/hook`, networks: [base.chainId, sepolia.chainId] }))
})

const buildEnv = (urls: Record<string, string> = { base: other.databaseUrl }) => ({
  DATABASE_URL: home.databaseUrl,
  DATABASE_URLS: JSON.stringify(urls),
  RPC_URLS: '{}',
  DELIVERIES: { sendBatch: async (batch: { body: DueDelivery }[]) => queue.push(...batch.map(({ body }) => body)) },
  ALLOW_PRIVATE_TARGETS: 'true',
})
const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
const dispatch = async (urls?: Record<string, string>) => {
  const response = await worker.fetch(new Request('http://notifier/dispatch', { method: 'POST' }), buildEnv(urls), ctx)
  return response.json()
}
const deliver = async () => {
  const messages = queue.splice(0).map((body) => ({ body, ack: () => undefined, retry: () => undefined }))
  await worker.queue({ queue: 'edgebook-deliveries', messages }, buildEnv())
}

const insertFill = (database: Database, chainId: number, seed = 1) =>
  database.insert(notifications).values(newNotification(seed, { chainId, createdAt: new Date() }))
test('delivers a fill of a network with its own database, once', async () => {
  await insertFill(home.database, sepolia.chainId)
  await insertFill(other.database, base.chainId)
  expect(await dispatch()).toEqual({ notifications: 2, queued: 2 })
  await deliver()
  expect(receiver.received).toHaveLength(2)
  expect(await dispatch()).toEqual({ notifications: 0, queued: 0 })
})

test('a crash before the rows are marked as dispatched repeats no delivery', async () => {
  await insertFill(other.database, base.chainId)
  await carryNotifications(other.database, home.database)
  await other.database.update(notifications).set({ dispatchedRevision: 0 })
  expect(await dispatch()).toEqual({ notifications: 1, queued: 1 })
  expect(await home.database.select().from(notifications)).toHaveLength(1)
})

test('corrects a delivered notification that a reorganisation of its network retracts', async () => {
  await insertFill(other.database, base.chainId)
  await dispatch()
  await deliver()
  await retractNotifications(other.database, base.chainId, 1)
  expect(await dispatch()).toEqual({ notifications: 1, queued: 1 })
  await deliver()
  expect(receiver.received).toHaveLength(2)
  expect((await home.database.select().from(notifications))[0]?.retractedAt).toEqual(expect.any(Date))
})

test('a revision that is older than the stored one changes nothing', async () => {
  await insertFill(other.database, base.chainId)
  await carryNotifications(other.database, home.database)
  await home.database.update(notifications).set({ revision: 5, retractedAt: new Date() })
  await other.database.update(notifications).set({ revision: 2 })
  await carryNotifications(other.database, home.database)
  expect(await home.database.select().from(notifications)).toMatchObject([
    { revision: 5, retractedAt: expect.any(Date) },
  ])
})

test('carries more notifications than one batch holds', async () => {
  const seeds = Array.from({ length: 230 }, (_, seed) =>
    newNotification(seed, { chainId: base.chainId, createdAt: new Date() }),
  )
  await other.database.insert(notifications).values(seeds)
  expect(await carryNotifications(other.database, home.database)).toBe(230)
  expect(await carryNotifications(other.database, home.database)).toBe(0)
})

test('a network whose database is down stops no other network', async () => {
  await insertFill(home.database, sepolia.chainId)
  await insertFill(other.database, base.chainId)
  const down = 'postgres://user:password@127.0.0.1:9/down'
  expect(await dispatch({ gnosis: down, base: other.databaseUrl })).toEqual({ notifications: 2, queued: 2 })
})

test('old notifications leave both databases, and those that are not copied yet stay', async () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000)
  await home.database.insert(notifications).values(newNotification(1, { createdAt: days(40), dispatchedRevision: 1 }))
  await other.database
    .insert(notifications)
    .values([40, 30].map((age, i) => newNotification(i + 2, { chainId: base.chainId, createdAt: days(age) })))
  const list = ({ database }: TestDatabase) =>
    database
      .select({ eventId: notifications.eventId })
      .from(notifications)
      .orderBy(notifications.id)
      .then((rows) => rows.map(({ eventId }) => eventId))
  expect(await deleteOldNotifications(other.database, days(31), 100)).toBe(0)
  expect(await list(other)).toEqual([2, 3])

  const down = 'postgres://user:password@127.0.0.1:9/down'
  const logged = await captureLog(() =>
    worker.scheduled({}, { ...buildEnv({ gnosis: down, base: other.databaseUrl }), NOTIFICATION_RETENTION_DAYS: '31' }),
  )
  expect(logged).toContainEqual(expect.stringContaining('old notifications stay'))
  expect(await list(other)).toEqual([3])
  expect(await list(home)).toEqual([3])
  // a clock that is a year ahead
  expect(await deleteOldNotifications(other.database, days(-365), 100)).toBe(0)
  expect(await list(other)).toEqual([3])
})
