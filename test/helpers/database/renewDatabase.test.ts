import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { openEmptyBackend } from '#test/helpers/database/server/openEmptyBackend.ts'
import { applyMigrations } from '#tools/stack/applyMigrations.ts'
import { databaseEndpoint } from '#tools/stack/databaseEndpoint.ts'
import { renewDatabase } from './renewDatabase.ts'

test('rows, used sequences and statistics are gone, and the migrations stay', async () => {
  const backend = await openEmptyBackend()
  const endpoint = await databaseEndpoint({ backend, port: 0 })
  const database = connectDatabase(endpoint.databaseUrl)
  const applied = await applyMigrations(endpoint.databaseUrl)
  const nextId = async () =>
    (await database.execute<{ id: string }>(sql`select nextval(pg_get_serial_sequence('order_events', 'id')) as id`))
      .rows[0]?.id
  const count = async (query: ReturnType<typeof sql>) => (await database.execute(query)).rows.length
  const documents = sql`select hash from app_data`
  const counted = sql`select relname from pg_class where oid = 'app_data'::regclass and reltuples >= 0`
  const statistics = sql`select stainherit from pg_statistic where starelid = 'app_data'::regclass`
  await database.execute(sql`insert into app_data (hash, full_app_data) values (decode(repeat('ab', 32), 'hex'), '{}')`)
  await database.execute(sql`analyze app_data`)
  expect(await nextId()).toBe('1')
  expect(await nextId()).toBe('2')
  expect(await count(documents)).toBe(1)
  expect(await count(statistics)).toBeGreaterThan(0)
  expect(await count(counted)).toBe(1)

  await renewDatabase(database)
  expect(await nextId()).toBe('1')
  expect([await count(documents), await count(statistics), await count(counted)]).toEqual([0, 0, 0])
  expect([applied > 0, await applyMigrations(endpoint.databaseUrl)]).toEqual([true, 0])
  await endpoint.close()
  await backend.close()
})
