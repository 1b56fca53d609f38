import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { dayMs, subscriptionOf } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newNotification, newSubscription, subscriber } from '#test/helpers/database/newNotification.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { deleteOldDeliveries, replayDeliveries, takeDueDeliveries } from './deliveries.ts'
import { type ClaimedDelivery, claimDelivery, markDelivered, markFailed } from './deliveryAttempts.ts'
import { dispatchNotifications } from './dispatchNotifications.ts'

const leaseMs = 60_000
const signer = { account: subscriber, signerChainId: 0 }
const start = new Date('2026-11-01T00:00:10Z')
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000)

const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(() => emptyDatabase(database))

const notify = async (...changes: Parameters<typeof newNotification>): Promise<number> => {
  const [row] = await database
    .insert(notifications)
    .values(newNotification(...changes))
    .returning()
  return row?.id ?? 0
}
const subscribe = async (changes: Parameters<typeof newSubscription>[0] = {}): Promise<string> => {
  const [row] = await database.insert(subscriptions).values(newSubscription(changes)).returning()
  return row?.id ?? ''
}
const change = async (isUntrue: boolean): Promise<void> => {
  await database
    .update(notifications)
    .set({ retractedAt: isUntrue ? start : null, revision: sql`${notifications.revision} + 1` })
}
const retract = () => change(true)
const confirmAgain = () => change(false)
const since = new Date(start.getTime() - 24 * 60 * 60 * 1000)
const dispatch = (now = start) => dispatchNotifications(database, { limit: 100, now, since })
const takeDue = async (now = start) => (await takeDueDeliveries(database, { limit: 100, leaseMs, now })).due
const claimAll = async (now = start): Promise<ClaimedDelivery[]> => {
  const claims = []
  for (const due of await takeDue(now)) claims.push(await claimDelivery(database, due, { leaseMs, now }))
  return claims.filter((claim) => claim !== undefined)
}
/** Takes, attempts and delivers everything that is due. */
const deliver = async (now = start): Promise<string[]> => {
  const claims = await claimAll(now)
  for (const { delivery } of claims) await markDelivered(database, delivery.id, now)
  return claims.map(describeClaim)
}
const fail = async (
  now = start,
  changes: { nextAttemptAt?: Date | null; isGone?: boolean; isOurFault?: boolean } = {},
) => {
  const claims = await claimAll(now)
  for (const { delivery } of claims) {
    const nextAttemptAt = changes.isGone ? null : later(5)
    const failed = { ...delivery, reason: 'answered 500', nextAttemptAt, isGone: false, isOurFault: false, ...changes }
    await markFailed(database, failed, now)
  }
  return claims.map(describeClaim)
}
const replay = async (by: typeof signer, id: string, now: Date) =>
  (await replayDeliveries(database, by, id, { limit: 100, now }))?.replayed
const describeClaim = ({ delivery: { revision, isCorrection } }: ClaimedDelivery) =>
  `${isCorrection ? 'correction' : 'news'} ${revision}`
const listStates = async (): Promise<string[]> => {
  const rows = await database.select().from(deliveries).orderBy(deliveries.id)
  return rows.map(({ revision, state }) => `${revision} ${state}`)
}
const findSubscription = async (id: string) => {
  const [row] = await database.select().from(subscriptions).where(eq(subscriptions.id, id))
  return row
}

describe('dispatch', () => {
  it.each([
    ['everything of the account', {}, true],
    ['another account', { account: `0x${'11'.repeat(20)}` as const }, false],
    ['other types', { types: ['order_expired' as const] }, false],
    ['other networks', { networks: [1] }, false],
    ['not confirmed', { confirmedAt: null }, false],
    ['younger than the notification', { createdAt: new Date('2026-11-01T00:00:01Z') }, false],
  ])('%s', async (_name, changes, isNotified) => {
    await subscribe(changes)
    await notify(1)
    expect(await dispatch()).toBe(1)
    expect(await deliver()).toEqual(isNotified ? ['news 1'] : [])
  })

  it('notifies every subscriber once, with any number of dispatchers', async () => {
    await subscribe()
    await subscribe({ channel: 'email', target: 'a@example.com' })
    for (const seed of [1, 2, 3]) await notify(seed)
    const taken = await Promise.all(Array.from({ length: 5 }, () => dispatch()))
    expect(taken.reduce((sum, count) => sum + count)).toBe(3)
    expect(await dispatch()).toBe(0)
    expect(await deliver()).toHaveLength(6)
    expect(await deliver(later(7200))).toEqual([])
  })

  it('sends no news that is older than its window', async () => {
    await subscribe({ createdAt: new Date(since.getTime() - 2) })
    await notify(1, { createdAt: new Date(since.getTime() - 1) })
    expect(await dispatch()).toBe(1)
    expect(await deliver()).toEqual([])
    await notify(2, { createdAt: since })
    expect(await dispatch()).toBe(1)
    expect(await deliver()).toEqual(['news 1'])
  })

  it('writes and takes deliveries in the order of their notifications', async () => {
    await subscribe()
    const ids: number[] = []
    for (let seed = 1; seed <= 30; seed += 1) ids.push(await notify(seed))
    // the newest row of the table is the oldest notification
    await database
      .update(notifications)
      .set({ dispatchedRevision: 0 })
      .where(eq(notifications.id, ids[0] ?? 0))
    await dispatch()
    await database.update(deliveries).set({
      nextAttemptAt: sql`${start.toISOString()}::timestamptz - ${deliveries.notificationId} * interval '1 second'`,
    })
    const rows = await database.select().from(deliveries)
    const notified = new Map(rows.map(({ id, notificationId }) => [id, notificationId]))
    expect((await takeDue()).map(({ id }) => notified.get(id))).toEqual(ids)
  })

  it('takes the oldest first, up to its limit', async () => {
    const ids = [await notify(1), await notify(2), await notify(3)]
    expect(await dispatchNotifications(database, { limit: 2, now: start, since })).toBe(2)
    const waiting = await database
      .select({ id: notifications.id })
      .from(notifications)
      .where(eq(notifications.dispatchedRevision, 0))
    expect(waiting).toEqual([{ id: ids[2] }])
  })
})

describe('an attempt', () => {
  beforeEach(async () => {
    await subscribe()
    await notify(1)
    await dispatch()
  })

  it('is made once although its message arrives twice or at two consumers', async () => {
    const [due] = await takeDue()
    if (!due) throw new Error('nothing is due')
    expect(due.attempt).toBe(1)
    const claim = () => claimDelivery(database, due, { leaseMs, now: start })
    const claims = await Promise.all([claim(), claim(), claim()])
    expect(claims.filter((claimed) => claimed !== undefined)).toHaveLength(1)
    expect(await claim()).toBeUndefined()
  })

  it('has the text and its recipient', async () => {
    const [claimed] = await claimAll()
    expect(claimed).toMatchObject({
      delivery: { revision: 1, isCorrection: false, attempt: 1, createdAt: start },
      notification: { ...newNotification(1), retractedAt: null },
      subscription: { account: subscriber, channel: 'webhook', target: 'https://example.com/hook' },
    })
  })

  it('that is lost is made again after its lease', async () => {
    expect(await claimAll()).toHaveLength(1)
    expect(await takeDue(later(59))).toEqual([])
    expect(await takeDue(later(60))).toMatchObject([{ attempt: 2 }])
  })

  it('whose message is lost is due again after its lease', async () => {
    expect(await takeDue()).toMatchObject([{ attempt: 1 }])
    expect(await takeDue(later(59))).toEqual([])
    expect(await takeDue(later(60))).toMatchObject([{ attempt: 1 }])
  })

  it('that failed is repeated when its delay has passed', async () => {
    await fail()
    expect(await takeDue(later(4))).toEqual([])
    expect(await deliver(later(5))).toEqual(['news 1'])
  })

  it('that ended after a later one began changes nothing unless it succeeded', async () => {
    const [first] = await claimAll()
    const [second] = await claimAll(later(60))
    if (!first || !second) throw new Error('nothing is claimed')
    const late = { ...first.delivery, reason: 'late', nextAttemptAt: null, isGone: true, isOurFault: false }
    await markFailed(database, late, later(61))
    expect(await listStates()).toEqual(['1 pending'])
    await markDelivered(database, first.delivery.id, later(62))
    expect(await listStates()).toEqual(['1 delivered'])
    await markFailed(database, { ...late, attempt: 2 }, later(63))
    expect(await listStates()).toEqual(['1 delivered'])
  })
})

describe('a retraction by a reorganisation', () => {
  beforeEach(async () => {
    await subscribe()
    await notify(1)
  })

  it('before the dispatch sends nothing', async () => {
    await retract()
    await dispatch()
    expect(await deliver()).toEqual([])
  })

  it('before the attempt sends nothing, even when the message is already queued', async () => {
    await dispatch()
    const [due] = await takeDue()
    await retract()
    expect(due && (await claimDelivery(database, due, { leaseMs, now: start }))).toBeUndefined()
    await dispatch()
    expect(await listStates()).toEqual(['1 superseded'])
    expect(await deliver(later(3600))).toEqual([])
  })

  it('before the attempt, confirmed again later, sends one notification', async () => {
    await dispatch()
    await retract()
    await dispatch()
    await confirmAgain()
    await dispatch()
    expect(await deliver()).toEqual(['news 3'])
  })

  it('after the delivery sends one correction', async () => {
    await dispatch()
    expect(await deliver()).toEqual(['news 1'])
    await retract()
    await dispatch()
    expect(await dispatch()).toBe(0)
    expect(await deliver()).toEqual(['correction 2'])
  })

  it('after the delivery, confirmed again after the correction, notifies again', async () => {
    await dispatch()
    await deliver()
    await retract()
    await dispatch()
    await deliver()
    await confirmAgain()
    await dispatch()
    expect(await deliver()).toEqual(['news 3'])
  })

  it.each([true, false])('after the delivery, confirmed again before the correction, sends nothing', async (seen) => {
    await dispatch()
    await deliver()
    await retract()
    if (seen) await dispatch()
    await confirmAgain()
    await dispatch()
    expect(await deliver(later(3600))).toEqual([])
  })

  it('during an attempt waits for its end and corrects although the attempt failed', async () => {
    await dispatch()
    const [claimed] = await claimAll()
    if (!claimed) throw new Error('nothing is claimed')
    await retract()
    await dispatch()
    expect(await deliver(later(59))).toEqual([])
    await markFailed(
      database,
      { ...claimed.delivery, reason: 'late', nextAttemptAt: later(70), isGone: false, isOurFault: false },
      start,
    )
    expect(await deliver(later(60))).toEqual(['correction 2'])
    expect(await deliver(later(3600))).toEqual([])
  })

  it('during an attempt that succeeds is followed by its correction', async () => {
    await dispatch()
    const [claimed] = await claimAll()
    await retract()
    await dispatch()
    await markDelivered(database, claimed?.delivery.id ?? 0, later(1))
    expect(await listStates()).toEqual(['1 delivered', '2 pending'])
    expect(await deliver(later(60))).toEqual(['correction 2'])
  })

  it.each([true, false])('between two attempts, confirmed again, continues the same delivery', async (seen) => {
    await dispatch()
    expect(await fail()).toEqual(['news 1'])
    await retract()
    if (seen) await dispatch()
    await confirmAgain()
    await dispatch()
    expect(await deliver(later(3600))).toEqual(['news 1'])
    expect(await deliver(later(7200))).toEqual([])
  })

  it('is corrected although the subscription has changed its types', async () => {
    await dispatch()
    await deliver()
    await database.update(subscriptions).set({ types: ['order_expired'] })
    await retract()
    await dispatch()
    expect(await deliver()).toEqual(['correction 2'])
  })
})

describe('a target', () => {
  let id: string
  beforeEach(async () => {
    id = await subscribe()
    await notify(1)
    await dispatch()
  })

  it('is failing until it accepts a delivery', async () => {
    await fail()
    await fail(later(5), { nextAttemptAt: later(10) })
    expect(await findSubscription(id)).toMatchObject({ failures: 2, failingSince: start, lastDeliveredAt: null })
    await deliver(later(10))
    expect(await findSubscription(id)).toMatchObject({ failures: 0, failingSince: null, lastDeliveredAt: later(10) })
  })

  it('that is gone is paused until its subscription is replayed', async () => {
    await fail(start, { isGone: true })
    expect(await findSubscription(id)).toMatchObject({ pausedAt: start, pauseReason: 'answered 500' })
    await notify(2)
    await dispatch()
    expect(await deliver(later(3600))).toEqual([])
    expect(await listStates()).toEqual(['1 dead', '1 dead'])
    expect(await replay(signer, id, later(3600))).toBe(2)
    expect(await findSubscription(id)).toMatchObject({ pausedAt: null, pauseReason: null, failures: 0 })
    expect(await deliver(later(3600))).toEqual(['news 1', 'news 1'])
    expect(await replay(signer, id, later(3600))).toBe(0)
  })

  it('is paused when a delivery dies without any success meanwhile, for queued deliveries too', async () => {
    await notify(2)
    await dispatch()
    const [first, second] = await takeDue()
    const claim = (due: typeof first) => due && claimDelivery(database, due, { leaseMs, now: start })
    const claimed = await claim(first)
    if (!claimed) throw new Error('nothing is claimed')
    await markFailed(
      database,
      { ...claimed.delivery, reason: 'no', nextAttemptAt: null, isGone: false, isOurFault: false },
      later(9),
    )
    expect(await findSubscription(id)).toMatchObject({ pausedAt: later(9), pauseReason: 'no' })
    expect(await claim(second)).toBeUndefined()
  })

  it('that accepts other deliveries is not paused for one that it never accepts', async () => {
    await fail()
    await notify(2)
    await dispatch(later(1))
    expect(await deliver(later(1))).toEqual(['news 1'])
    await fail(later(5), { nextAttemptAt: null })
    expect(await findSubscription(id)).toMatchObject({ pausedAt: null, failures: 1 })
    expect(await listStates()).toEqual(['1 dead', '1 delivered'])
  })

  it('is not paused for failures of this service, and a replay sends those again', async () => {
    await fail(start, { nextAttemptAt: null, isOurFault: true })
    expect(await findSubscription(id)).toMatchObject({ pausedAt: null, failures: 1 })
    expect(await listStates()).toEqual(['1 dead'])
    expect(await replay(signer, id, later(5))).toBe(1)
    expect(await deliver(later(5))).toEqual(['news 1'])
  })

  it('receives missed deliveries on replay, the oldest first, up to the limit', async () => {
    await fail(start, { isGone: true })
    await notify(2)
    await notify(3)
    await dispatch()
    await takeDue(later(60))
    expect(await listStates()).toEqual(['1 dead', '1 dead', '1 dead'])
    const some = { limit: 2, now: later(60) }
    expect(await replayDeliveries(database, signer, id, some)).toEqual({ taken: 2, replayed: 2 })
    expect(await listStates()).toEqual(['1 pending', '1 pending', '1 dead'])
    expect(await replayDeliveries(database, signer, id, some)).toEqual({ taken: 1, replayed: 1 })
    expect(await replayDeliveries(database, signer, id, some)).toEqual({ taken: 0, replayed: 0 })
  })

  it.each([
    ['another account', { ...signer, account: `0x${'11'.repeat(20)}` as const }],
    ['a contract at the same address', { ...signer, signerChainId: 1 }],
  ])('is not replayed by %s', async (_name, other) => {
    await fail(start, { isGone: true })
    expect(await replay(other, id, start)).toBeUndefined()
    expect(await listStates()).toEqual(['1 dead'])
  })

  it('receives on replay neither retracted notifications nor duplicates of confirmed ones', async () => {
    await fail(start, { isGone: true })
    await retract()
    await dispatch()
    await confirmAgain()
    await dispatch()
    await takeDue(later(3600))
    expect(await replay(signer, id, later(3600))).toBe(1)
    expect(await deliver(later(3600))).toEqual(['news 1'])
    await retract()
    await dispatch()
    expect(await fail(later(3600), { isGone: true })).toEqual(['correction 4'])
    await confirmAgain()
    await dispatch()
    expect(await replay(signer, id, later(7200))).toBe(0)
  })
})

it('ends with the true state for every subscriber, without duplicates, under any interleaving', async () => {
  const targets = ['a', 'b', 'c'].map((name) => `https://example.com/${name}`)
  for (const target of targets) await subscribe({ target })
  for (let seed = 1; seed <= 10; seed++) await notify(seed)
  const said = new Map<string, string[]>()
  const tell = async (now: Date) => {
    const claims = await claimAll(now)
    for (const { delivery, notification, subscription } of claims) {
      const key = `${subscription.target} ${notification.id}`
      said.set(key, [...(said.get(key) ?? []), delivery.isCorrection ? 'untrue' : 'true'])
      await markDelivered(database, delivery.id, now)
    }
    return claims.length
  }
  const random = createRandom(1)
  const reorganise = async (isUntrue: boolean) => {
    const hit = sql`id % 3 = ${Math.floor(random() * 3)} and (retracted_at is null) = ${isUntrue}`
    await database
      .update(notifications)
      .set({ retractedAt: isUntrue ? start : null, revision: sql`${notifications.revision} + 1` })
      .where(hit)
  }
  const repeat = async (work: () => Promise<unknown>) => {
    for (let round = 0; round < 8; round++) await work()
  }
  await Promise.all([
    repeat(() => dispatch()),
    repeat(() => dispatch()),
    repeat(() => tell(start)),
    repeat(() => tell(start)),
    repeat(() => reorganise(true)),
    repeat(() => reorganise(false)),
  ])
  for (let round = 1; round <= 3; round++) {
    await dispatch(later(round * 61))
    await tell(later(round * 61))
  }
  const rows = await database.select().from(notifications)
  for (const { id, retractedAt } of rows) {
    for (const target of targets) {
      const sequence = said.get(`${target} ${id}`) ?? []
      expect(sequence).toEqual(sequence.map((_, index) => (index % 2 === 0 ? 'true' : 'untrue')))
      expect(sequence.at(-1) ?? 'untrue').toBe(retractedAt ? 'untrue' : 'true')
    }
  }
}, 60_000)

it('deletes old deliveries but none in progress', async () => {
  await subscribe()
  for (const seed of [1, 2, 3]) await notify(seed)
  await dispatch()
  const [first, second] = await takeDue()
  await markDelivered(database, first?.id ?? 0, start)
  await deleteOldDeliveries(database, start, 100)
  expect(await listStates()).toHaveLength(3)
  await deleteOldDeliveries(database, later(1), 100)
  expect(await listStates()).toEqual(['1 pending', '1 pending'])
  await markDelivered(database, second?.id ?? 0, start)
  // the ended one is behind one that is pending
  await deleteOldDeliveries(database, later(1), 1)
  expect(await listStates()).toEqual(['1 pending'])
})

const lease = () => ({ leaseMs: 1_000, now: new Date() })
measureRows(
  deleteOldDeliveries,
  (database) => deleteOldDeliveries(database, new Date(Date.now() - 90 * dayMs), 1_000),
  { reads: 1_000 },
)
measureRows(
  replayDeliveries,
  (database, h) =>
    replayDeliveries(database, { account: h.busyOwner, signerChainId: 0 }, subscriptionOf(1), {
      limit: 100,
      now: new Date(),
    }),
  { acrossNetworks: true, reads: 200 },
)
measureRows(takeDueDeliveries, (database) => takeDueDeliveries(database, { limit: 100, ...lease() }), { reads: 200 })
measureRows(claimDelivery, (database, h) => claimDelivery(database, { id: h.pendingDelivery, attempt: 2 }, lease()), {
  byId: true,
})
measureRows(markDelivered, (database, h) => markDelivered(database, h.pendingDelivery, new Date()))
measureRows(markFailed, (database, h) =>
  markFailed(
    database,
    {
      id: h.pendingDelivery,
      attempt: 1,
      reason: 'refused',
      nextAttemptAt: null,
      isGone: false,
      isOurFault: false,
    },
    new Date(),
  ),
)
measureRows(
  dispatchNotifications,
  (database) => dispatchNotifications(database, { limit: 100, now: new Date(), since: new Date(0) }),
  { acrossNetworks: true, reads: 300 },
)
