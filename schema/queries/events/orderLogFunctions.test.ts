import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase, type Database } from '#schema/client.ts'
import { networks } from '#shared/networks.ts'
import { waitForLog } from '#test/helpers/database/log/waitForLog.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { openEmptyBackend } from '#test/helpers/database/server/openEmptyBackend.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectLogHorizon, selectNewOrderEvents } from './newOrderEvents.ts'
import { selectMissedOrderEvents } from './selectMissedOrderEvents.ts'

const { chainId } = networks.sepolia
const limits = { events: 100, scanned: 100 }
/** as long as the events that may be lost with a cluster */
const room = 2n ** 40n

let database: Database
let close: () => Promise<void>

// the tests replace a function, which a shared database would keep
beforeAll(async () => {
  const backend = await openEmptyBackend()
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  await applyMigrations(endpoint.databaseUrl)
  database = connectDatabase(endpoint.databaseUrl)
  close = async () => {
    await endpoint.close()
    await backend.close()
  }
})
afterAll(() => close?.())

const ask = async (name: 'is_order_log_ahead()' | 'continue_order_log()' | 'continue_order_log(true)') =>
  (await database.execute<{ answer: boolean }>(sql.raw(`select ${name} as answer`))).rows[0]?.answer
const readUids = async (after: { writtenBy: bigint; id: number }) =>
  (await selectNewOrderEvents(database, chainId, after, 100)).events.map(({ event }) => event.orderUid)

test('a log whose positions are ahead of the cluster is continued after them, once', async () => {
  expect([await ask('is_order_log_ahead()'), await ask('continue_order_log()')]).toEqual([false, false])
  await insertOrder(database, newOrder(1))
  await insertOrder(database, newOrder(2))
  expect([await ask('is_order_log_ahead()'), await ask('continue_order_log()')]).toEqual([false, false])

  // as restored from a cluster that has counted further; another network's positions are lower
  await database.execute(sql`update order_events set written_by = (5000000000 + id)::text::xid8`)
  await database.execute(sql`insert into order_events (chain_id, order_uid, key, label, written_by)
    values (1, '\\x00', 'created', 'created', '7'), (2000000000, '\\x00', 'created', 'created', '8')`)
  const start = { writtenBy: 5_000_000_000n, id: 0 }
  expect(await readUids(start)).toEqual([])
  expect(await ask('is_order_log_ahead()')).toBe(true)

  expect([await ask('continue_order_log()'), await ask('is_order_log_ahead()')]).toEqual([true, false])
  expect(await ask('continue_order_log()')).toBe(false)
  expect(await readUids(start)).toEqual([orderUidOf(1), orderUidOf(2)])
  expect(
    (await selectMissedOrderEvents(database, chainId, { orderUid: orderUidOf(2) }, start, limits)).events,
  ).toHaveLength(1)
})

test('a client continues after the restore even from an event that was lost with the old cluster', async () => {
  const lost = { writtenBy: 5_000_000_000n + room / 2n, id: 3 }
  const { writtenBy } = await selectLogHorizon(database)
  expect(writtenBy).toBeGreaterThan(lost.writtenBy)
  await insertOrder(database, newOrder(3))
  await waitForLog(database)
  expect(await readUids(lost)).toEqual([orderUidOf(3)])
})

test('after a return to an earlier time positions continue when forced', async () => {
  const before = await selectLogHorizon(database)
  expect(await ask('continue_order_log(true)')).toBe(true)
  expect((await selectLogHorizon(database)).writtenBy - before.writtenBy).toBeGreaterThanOrEqual(room)
  await insertOrder(database, newOrder(4))
  await waitForLog(database)
  expect(await readUids(before)).toEqual([orderUidOf(4)])
})
