import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { checkGrowth } from './checkGrowth.ts'
import { findGrowth, tableGrowth } from './findGrowth.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await startTestDatabase()
})
afterAll(() => store?.close())

const insertNotifications = (days: number, count: number) =>
  store.database.execute(sql`
    insert into notifications (chain_id, account, order_uid, type, key, event_id, facts, created_at)
    select 1, '\\x01', decode(lpad(to_hex(i), 8, '0'), 'hex'), 'order_filled', ${String(days)}, i, '{}',
      now() - interval '1 day' * ${days}::integer
    from generate_series(1, ${count}::integer) as i`)

test('the growth of every table is known', async () => {
  const { rows } = await store.database.execute<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  expect(Object.keys(tableGrowth).toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

test('a table grows by the rows of its last seven days, or of its age', async () => {
  await insertNotifications(2, 300)
  const young = await findGrowth(store.database)
  const [first] = young.tables.filter(({ name }) => name === 'notifications')
  expect(first?.bytesPerDay).toBeCloseTo((first?.bytes ?? 0) / 2, -1)
  expect(young.bytesPerDay).toBe(first?.bytesPerDay)

  await insertNotifications(30, 700)
  const { tables, bytes } = await findGrowth(store.database)
  const [second] = tables.filter(({ name }) => name === 'notifications')
  expect(second?.bytesPerDay).toBeCloseTo(((second?.bytes ?? 0) * 0.3) / 7, -1)
  expect(bytes).toBeGreaterThan(second?.bytes ?? 0)
})

const growth = { bytes: 30e9, bytesPerDay: 0.5e9, limitBytes: null, tables: [] }

test.each([
  [null, 'ok', '30 GB, 500 MB a day'],
  [100e9, 'ok', '30 GB, 500 MB a day; the limit of 100 GB is 140 days away'],
  [60e9, 'limited', '30 GB, 500 MB a day; the limit of 60 GB is 60 days away'],
  [35e9, 'wrong', '30 GB, 500 MB a day; the limit of 35 GB is 10 days away'],
  [30e9, 'wrong', '30 GB, 500 MB a day; the limit of 30 GB is 0 days away'],
])('a limit of %s bytes is %s', (limitBytes, state, detail) => {
  expect(checkGrowth('database', growth, limitBytes)).toEqual([
    expect.objectContaining({ state, name: 'database, growth', detail }),
  ])
})

test('a database that does not grow never reaches its limit', () => {
  expect(checkGrowth('database', { ...growth, bytesPerDay: 0 }, 100e9)).toEqual([
    { state: 'ok', name: 'database, growth', detail: '30 GB, 0 B a day; the limit is 100 GB' },
  ])
})

test('lists the largest tables', () => {
  const table = (name: string, bytes: number) => ({ name, bytes, bytesPerDay: bytes / 100 })
  const tables = [table('order_events', 9.5e9), table('orders', 2e9), table('tokens', 1e6)]
  expect(checkGrowth('database', { ...growth, tables }, null).slice(1)).toEqual([
    { state: 'ok', name: 'database, growth of order_events', detail: '9.5 GB, 95 MB a day' },
    { state: 'ok', name: 'database, growth of orders', detail: '2.0 GB, 20 MB a day' },
  ])
})
