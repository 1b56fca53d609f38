import { eq, min, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type DueDelivery, replayDeliveries } from '#schema/queries/notifications/deliveries.ts'
import { deliveries } from '#schema/tables/notifications/deliveries.ts'
import { notifications } from '#schema/tables/notifications/notifications.ts'
import { subscriptions } from '#schema/tables/notifications/subscriptions.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { newNotification, newSubscription, subscriber } from '#test/helpers/database/newNotification.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { respondWith, startProvider } from '#test/helpers/http/startProvider.ts'
import { type ReceiverResponse, type RunningReceiver, startReceiver } from '#test/helpers/http/startReceiver.ts'
import type { Send } from './channels/channel.ts'
import { sendWebhook } from './channels/sendWebhook.ts'
import { consumeDeliveries } from './consumeDeliveries.ts'
import type { DeliveryDeps } from './deps.ts'
import { dispatchDeliveries } from './dispatchDeliveries.ts'

const minute = 60
const hour = 3_600
/** Signatures are valid for five minutes of real time. */
const start = Date.now()

const { database, close } = await startTestDatabase()
let receiver: RunningReceiver
let now: Date
let queue: DueDelivery[]
let log: unknown[]

afterAll(close)
beforeEach(async () => {
  await emptyDatabase(database)
  receiver = await startReceiver()
  queue = []
  log = []
  goTo(0)
})
afterEach(() => receiver.stop())

const goTo = (seconds: number) => {
  now = new Date(start + seconds * 1_000)
}
const buildDeps = (changes: Partial<DeliveryDeps> = {}): DeliveryDeps => ({
  database,
  channels: { webhook: sendWebhook({ dnsUrl: 'http://127.0.0.1:9', allowPrivate: true }) },
  findTokens: async () => ({ find: () => ({ decimals: 18, symbol: 'TKN' }) }),
  publicUrl: undefined,
  now: () => now.getTime(),
  random: () => 0.5,
  log: (entry) => log.push(entry),
  ...changes,
})
const sendBatch = async (messages: { body: DueDelivery }[]) => queue.push(...messages.map(({ body }) => body))
const dispatch = () => dispatchDeliveries({ database, queue: { sendBatch }, now: () => now.getTime() })
/** @returns messages returned to the queue */
const consume = async (bodies: unknown[], changes: Partial<DeliveryDeps> = {}): Promise<unknown[]> => {
  const returned: unknown[] = []
  const settled: unknown[] = []
  const messages = bodies.map((body) => ({
    body,
    ack: () => settled.push(body),
    retry: () => {
      settled.push(body)
      returned.push(body)
    },
  }))
  await consumeDeliveries(buildDeps(changes), messages)
  expect(settled).toHaveLength(bodies.length)
  return returned
}
const run = async (changes: Partial<DeliveryDeps> = {}): Promise<void> => {
  await dispatch()
  await consume(queue.splice(0), changes)
}
/** Runs the cron trigger at each minute with a due delivery. */
const runUntil = async (from: number, to: number, changes: Partial<DeliveryDeps> = {}): Promise<void> => {
  for (let seconds = from; seconds <= to; seconds = await findNextMinute(seconds)) {
    goTo(seconds)
    await run(changes)
  }
}
const findNextMinute = async (seconds: number): Promise<number> => {
  const pending = eq(deliveries.state, 'pending')
  const [next] = await database
    .select({ at: min(deliveries.nextAttemptAt) })
    .from(deliveries)
    .where(pending)
  if (!next?.at) return Number.POSITIVE_INFINITY
  const dueIn = (next.at.getTime() - start) / 1_000
  return Math.max(seconds + minute, Math.ceil(dueIn / minute) * minute)
}
const notify = (seed: number) =>
  database
    .insert(notifications)
    .values(newNotification(seed, { createdAt: now }))
    .returning()
const subscribe = async (target = `${receiver.url}/hook`): Promise<string> => {
  const [row] = await database.insert(subscriptions).values(newSubscription({ target })).returning()
  return row?.id ?? ''
}
const change = (isUntrue: boolean) =>
  database
    .update(notifications)
    .set({ retractedAt: isUntrue ? now : null, revision: sql`${notifications.revision} + 1` })
const listTypes = () => receiver.received.map(({ body }) => JSON.parse(body.toString()).type)
const findDelivery = async () => (await database.select().from(deliveries))[0]
const findSubscription = async () => (await database.select().from(subscriptions))[0]

describe('a webhook', () => {
  beforeEach(async () => {
    await subscribe()
    await notify(1)
  })

  test('receives the signed notification with an id of its own', async () => {
    await run()
    const [received] = receiver.received
    if (!received) throw new Error('nothing arrived')
    const { headers, body } = received
    const { secret } = newSubscription()
    const payload = new Webhook(secret ?? '').verify(body.toString(), headers as Record<string, string>)
    const id = (await database.select().from(notifications))[0]?.id
    expect(payload).toEqual({
      type: 'order_filled',
      timestamp: now.toISOString(),
      data: expect.objectContaining({
        id: String(id),
        account: subscriber,
        type: 'order_filled',
        message: expect.stringContaining('sold 1 TKN for 3 TKN'),
      }),
    })
    expect([headers['webhook-id'], headers['webhook-attempt']]).toEqual([`notification-${id}-1`, '1'])
  })

  test('is sent after a failure of the queue', async () => {
    const failing = { sendBatch: () => Promise.reject(new Error('queue is down')) }
    await expect(dispatchDeliveries({ database, queue: failing, now: () => now.getTime() })).rejects.toThrow()
    await run()
    expect(receiver.received).toHaveLength(0)
    goTo(minute)
    await run()
    expect(Object.values(receiver.countAccepted())).toEqual([1])
  })

  test('is sent again with the same id after its consumer died after sending', async () => {
    await dispatch()
    let looks = 0
    const die = () => {
      looks += 1
      if (looks === 3) throw new Error('killed')
      return now.getTime()
    }
    const returned = await consume(queue.splice(0), { now: die })
    expect(returned).toHaveLength(1)
    await consume(returned)
    expect(receiver.received).toHaveLength(1)
    await runUntil(minute, 10 * minute)
    expect(Object.values(receiver.countAccepted())).toEqual([2])
    expect(await findDelivery()).toMatchObject({ state: 'delivered', attempts: 2 })
  })

  test.each<[string, ReceiverResponse]>([
    ['rejects it', { status: 503 }],
    ['hangs up', 'hangs up'],
  ])('arrives once after hours in which the receiver %s, with growing intervals', async (_name, answer) => {
    receiver.answer(answer)
    await runUntil(0, 6 * hour)
    const failed = receiver.received.length
    expect(failed).toBeGreaterThan(8)
    expect(failed).toBeLessThan(20)
    expect(await findSubscription()).toMatchObject({ failures: failed, pausedAt: null })
    receiver.answer({ status: 200 })
    await runUntil(6 * hour, 8 * hour)
    expect(Object.values(receiver.countAccepted())).toEqual([1])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(receiver.received.at(-1)?.headers['webhook-attempt']).toBe(String(failed + 1))
    expect(await findSubscription()).toMatchObject({ failures: 0, failingSince: null })
  })

  test('is dead after a day, which pauses its subscription, and a replay delivers everything once', async () => {
    receiver.answer({ status: 500 })
    const id = await findSubscription().then((subscription) => subscription?.id ?? '')
    await runUntil(0, 25 * hour)
    expect(await findDelivery()).toMatchObject({ state: 'dead', failure: 'responded with 500' })
    expect(await findSubscription()).toMatchObject({ pausedAt: expect.any(Date), pauseReason: 'responded with 500' })
    const asked = receiver.received.length
    await notify(2)
    expect(asked).toBeLessThan(50)
    await runUntil(26 * hour, 27 * hour)
    expect(receiver.received).toHaveLength(asked)
    receiver.answer({ status: 200 })
    const signer = { account: subscriber, signerChainId: 0 }
    const replayed = await replayDeliveries(database, signer, id, { limit: 100, now })
    expect(replayed).toEqual({ taken: 2, replayed: 2 })
    await runUntil(27 * hour, 28 * hour)
    expect(Object.values(receiver.countAccepted())).toEqual([1, 1])
  })

  test('is dead after a day without any possible attempt, and its subscription stays active', async () => {
    const failure = 'the webhook channel is disabled on this deployment'
    await runUntil(0, 25 * hour, { channels: {} })
    expect(await findDelivery()).toMatchObject({ state: 'dead', failure })
    expect(await findSubscription()).toMatchObject({ pausedAt: null, pauseReason: null })
    await notify(2)
    await runUntil(26 * hour, 27 * hour)
    expect(Object.values(receiver.countAccepted())).toEqual([1])
  })

  test.each([
    ['an error', { status: 500 }, 'responded with 500'],
    ['a redirect', { status: 302, headers: {} }, 'responded with 302: redirects are not followed'],
  ])('is retried after %s', async (_name, answer, failure) => {
    const elsewhere = await startReceiver()
    receiver.answer({ ...answer, headers: { Location: elsewhere.url } })
    await run()
    expect(await findDelivery()).toMatchObject({ state: 'pending', attempts: 1, failure })
    expect(await findSubscription()).toMatchObject({ failures: 1, pausedAt: null })
    receiver.answer({ status: 204 })
    await runUntil(minute, minute)
    expect(await findDelivery()).toMatchObject({ state: 'delivered', attempts: 2, failure: null })
    expect(elsewhere.received).toHaveLength(0)
    await elsewhere.stop()
  })

  test.each(['stalls', 'breaks'] as const)('is not sent again after an accepting response that %s', async (ending) => {
    receiver.answer({ status: 200, ending })
    await run()
    expect(await findDelivery()).toMatchObject({ state: 'delivered', attempts: 1, failure: null })
    await runUntil(minute, 5 * minute)
    expect(Object.values(receiver.countAccepted())).toEqual([1])
  })

  test('is never sent to a name that now has a private address', async () => {
    const resolver = await startProvider()
    resolver.answer(respondWith({ Status: 0, Answer: [{ type: 1, data: '127.0.0.1' }] }))
    const { port } = new URL(receiver.url)
    await database.update(subscriptions).set({ target: `https://hooks.example.com:${port}/hook` })
    const channels = { webhook: sendWebhook({ dnsUrl: resolver.url, allowPrivate: false }) }
    const failure = 'target rejected: its name has a non-public address'
    await run({ channels })
    expect(await findDelivery()).toMatchObject({ state: 'pending', attempts: 1, failure })
    await runUntil(minute, 25 * hour, { channels })
    expect(await findDelivery()).toMatchObject({ state: 'dead', failure })
    expect(await findSubscription()).toMatchObject({ pausedAt: expect.any(Date), pauseReason: failure })
    expect(receiver.received).toHaveLength(0)
    await resolver.stop()
  })

  test('is not retried before Retry-After', async () => {
    receiver.answer({ status: 429, headers: { 'Retry-After': '600' } })
    await runUntil(0, 9 * minute)
    expect(receiver.received).toHaveLength(1)
    await runUntil(10 * minute, 11 * minute)
    expect(receiver.received).toHaveLength(2)
  })

  test('pauses its subscription when the receiver is gone', async () => {
    receiver.answer({ status: 410 })
    await runUntil(0, 10 * minute)
    expect(receiver.received).toHaveLength(1)
    expect(await findDelivery()).toMatchObject({
      state: 'dead',
      failure: 'responded with 410: the target no longer exists',
    })
    expect(await findSubscription()).toMatchObject({
      pausedAt: new Date(start),
      pauseReason: 'responded with 410: the target no longer exists',
    })
  })

  test('fails when its message cannot be built, without stopping the others', async () => {
    const { facts } = newNotification(2)
    await database
      .insert(notifications)
      .values(newNotification(2, { createdAt: now, facts: { ...facts, trade: undefined } }))
    await run()
    await runUntil(minute, 2 * minute)
    expect(Object.values(receiver.countAccepted())).toEqual([1])
    expect(log).toContainEqual(expect.objectContaining({ message: 'delivery could not be sent' }))
    expect(await database.select().from(deliveries)).toContainEqual(
      expect.objectContaining({ state: 'pending', failure: 'something failed on our side' }),
    )
  })
})

describe('a reorganisation', () => {
  beforeEach(async () => {
    await subscribe()
    await notify(1)
  })

  test('after the delivery, reverted after the retraction, sends the notification again', async () => {
    await run()
    await change(true)
    await run()
    await change(false)
    await runUntil(0, 5 * minute)
    expect(listTypes()).toEqual(['order_filled', 'notification.retracted', 'order_filled'])
    expect(Object.values(receiver.countAccepted())).toEqual([1, 1, 1])
  })
})

test('a silent receiver does not delay others, and gets one attempt per batch', async () => {
  const silent = await startReceiver()
  silent.answer('silent')
  await subscribe(`${silent.url}/hook`)
  await subscribe()
  for (let seed = 1; seed <= 10; seed++) await notify(seed)
  const running = run()
  const isAccepted = () => expect(Object.values(receiver.countAccepted())).toEqual(Array(10).fill(1))
  await vi.waitFor(isAccepted, { timeout: 30_000 })
  expect(silent.countGivenUp()).toBe(0)
  await running
  isAccepted()
  expect(silent.received).toHaveLength(1)
  await vi.waitFor(() => expect(silent.countGivenUp()).toBe(1), { timeout: 10_000 })
  const reasons = new Set((await database.select().from(deliveries)).map(({ failure }) => failure))
  expect(reasons).toEqual(new Set([null, 'no response within 5 seconds']))
  silent.answer({ status: 200 })
  await runUntil(minute, 3 * minute)
  expect(Object.values(silent.countAccepted())).toEqual(Array(10).fill(1))
  await silent.stop()
})

test('a consumer killed during a batch loses nothing, and only deliveries in flight arrive twice', async () => {
  await subscribe()
  for (let seed = 1; seed <= 10; seed++) await notify(seed)
  await dispatch()
  const batch = queue.splice(0)
  const send = sendWebhook({ dnsUrl: 'http://127.0.0.1:9', allowPrivate: true })
  // the fourth arrives, and its outcome is lost
  await new Promise<void>((resolve) => {
    let sent = 0
    const webhook: Send = async (...sending) => {
      const outcome = await send(...sending)
      sent += 1
      if (sent < 4) return outcome
      resolve()
      return new Promise(() => undefined)
    }
    void consume(batch, { channels: { webhook } })
  })
  expect(Object.values(receiver.countAccepted())).toEqual(Array(4).fill(1))
  // another consumer receives the whole batch
  await consume(batch)
  expect(Object.values(receiver.countAccepted())).toEqual(Array(10).fill(1))
  await runUntil(minute, 5 * minute)
  expect(Object.values(receiver.countAccepted()).toSorted()).toEqual([...Array(9).fill(1), 2])
  const rows = await database.select().from(deliveries)
  expect(rows.filter(({ state }) => state !== 'delivered')).toEqual([])
})

test('an unreachable receiver is retried', async () => {
  await subscribe('http://127.0.0.1:9/hook')
  await notify(1)
  await run()
  expect(await findDelivery()).toMatchObject({ state: 'pending', failure: 'no connection' })
})

test('a malformed queue message is dropped', async () => {
  expect(await consume(['garbage', null, { id: 'x' }, { id: 1, subscriptionId: 'x', attempt: 0 }])).toEqual([])
  expect(log).toHaveLength(4)
})
