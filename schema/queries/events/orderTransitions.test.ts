import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectOrderProgress } from './orderEvents.ts'
import { insertTransitions, type OrderTransition } from './orderTransitions.ts'

const { chainId } = networks.sepolia
const { database, close } = await startTestDatabase()
const order = newOrder(1)
const { uid } = order
let auction = 0

afterAll(close)
beforeEach(async () => {
  await emptyDatabase(database)
  await insertOrder(database, order)
})

const log = (changes: Omit<OrderTransition, 'uid'>) => {
  auction += 1
  return insertTransitions(database, chainId, auction, [{ uid, ...changes }])
}
/** The order becomes invalid and valid again in alternating auctions. */
const toggle = async (times: number) => {
  for (let i = 0; i < times; i++) {
    if (auction % 2) await log({ label: 'ready', reason: null })
    else await log({ label: 'invalid', reason: 'unsigned', data: { auction } })
  }
}
const listRows = () => database.select().from(orderEvents).where(eq(orderEvents.orderUid, uid)).orderBy(orderEvents.id)
const age = (hours: number) =>
  database.execute(sql`update order_events set created_at = created_at - ${hours} * interval '1 hour'`)

test('an order that changes in every auction has 12 rows in an hour, and its newest one is the present outcome', async () => {
  await toggle(12)
  const before = await listRows()
  for (let i = 0; i < 5; i++) {
    await toggle(1)
    const progress = await selectOrderProgress(database, chainId, uid)
    expect(progress?.newestEvent).toBe(auction % 2 ? 'invalid' : 'ready')
    expect(progress?.exclusion).toEqual(
      auction % 2 ? { reason: 'unsigned', data: { auction: auction - 1, damped: i + 1 } } : null,
    )
  }
  const rows = await listRows()
  expect(rows.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(rows.at(-1)).toMatchObject({ auctionId: auction, data: { damped: 5 } })
})

test('it has rows less and less often: 36 in a day, 96 in a month and 200 in a year', async () => {
  const counts: number[] = []
  for (let hour = 0; hour < 30; hour++) {
    await toggle(20)
    counts.push((await listRows()).length - 1)
    await age(1)
  }
  expect(counts.slice(0, 4)).toEqual([12, 24, 36, 36])
  expect(counts[23]).toBe(36)
  for (let day = 0; day < 6; day++) {
    await age(24)
    await toggle(50)
  }
  expect((await listRows()).length - 1).toBeLessThanOrEqual(96)
  // twelve in each, which no shorter bound prevents
  for (let third = 0; third < 20; third++) {
    await age(10 * 24)
    await toggle(13)
  }
  expect((await listRows()).length - 1).toBe(200)
})

test('the bounds are those of one order, and win, fill and cancellation always have their rows', async () => {
  await toggle(20)
  const other = newOrder(2)
  await insertOrder(database, other)
  const before = (await listRows()).length
  await insertTransitions(database, chainId, auction, [
    { uid: other.uid, label: 'ready', reason: null },
    { uid, label: 'executing', reason: null },
  ])
  expect(await listRows()).toHaveLength(before + 1)
  expect(await database.select().from(orderEvents).where(eq(orderEvents.orderUid, other.uid))).toHaveLength(2)
  // after a win the next outcome is no continuation of the last row
  await log({ label: 'ready', reason: null })
  await toggle(9)
  expect(await listRows()).toHaveLength(before + 2)
})

test('a repeated statement changes nothing', async () => {
  await toggle(16)
  const before = await listRows()
  const { label, reason } = before.at(-1) ?? expect.fail('an event')
  await insertTransitions(database, chainId, auction, [{ uid, label: label as 'ready', reason }])
  expect(await listRows()).toEqual(before)
})

test('an archived row is not changed', async () => {
  await toggle(14)
  await database.execute(sql`update order_events set archive_part = '\\xab'`)
  const before = await listRows()
  await toggle(1)
  const rows = await listRows()
  expect(rows.slice(0, -1)).toEqual(before)
  expect(rows).toHaveLength(before.length + 1)
})

measureRows(
  insertTransitions,
  (database, h) =>
    insertTransitions(
      database,
      h.chainId,
      h.orders,
      h.listed(0, 50).map(({ uid }) => ({ uid, label: 'considered', reason: null })),
    ),
  { reads: 100 },
)
