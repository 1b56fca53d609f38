import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { writeMigrations } from '#test/helpers/database/writeMigrations.ts'
import { applyMigrations, findPendingMigrations } from './applyMigrations.ts'
import { openPglite } from './database/openPglite.ts'
import type { SqlBackend } from './database/sqlBackend.ts'
import { type DatabaseEndpoint, databaseEndpoint } from './databaseEndpoint.ts'

let folder: string
let backend: SqlBackend
let endpoint: DatabaseEndpoint

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  backend = await openPglite()
  endpoint = await databaseEndpoint({ backend, port: 0 })
})

afterAll(async () => {
  await endpoint.close()
  await backend.close()
  await rm(folder, { recursive: true })
})

const write = (...migrations: string[]) => writeMigrations(folder, migrations)

const findTables = async (): Promise<string[]> => {
  const { rows } = await connectDatabase(endpoint.databaseUrl).execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  return rows.map(({ name }) => name)
}

test('applies each migration once, rolls a failing one back and retains those before it, rejects a changed one and a newer database', async () => {
  const first = 'create table a (id int);\n--> statement-breakpoint\ncreate table b (id int);'
  await write(first)
  expect(await findPendingMigrations(endpoint.databaseUrl, folder)).toEqual(['m0'])
  expect(await applyMigrations(endpoint.databaseUrl, { folder })).toBe(1)
  expect(await applyMigrations(endpoint.databaseUrl, { folder })).toBe(0)
  expect(await findTables()).toEqual(['a', 'b'])

  await write(first, 'create table c (id int);', 'create table d (id int);\n--> statement-breakpoint\nselect 1/0;')
  expect(await findPendingMigrations(endpoint.databaseUrl, folder)).toEqual(['m1', 'm2'])
  await expect(applyMigrations(endpoint.databaseUrl, { folder })).rejects.toThrow()
  expect(await findTables()).toEqual(['a', 'b', 'c'])

  await write(first, 'create table c (id int);', 'create table d (id int);')
  expect(await applyMigrations(endpoint.databaseUrl, { folder })).toBe(1)
  expect(await findTables()).toEqual(['a', 'b', 'c', 'd'])

  await write(first, 'create table c (id int);')
  const { databaseUrl } = endpoint
  const looks = [() => findPendingMigrations(databaseUrl, folder), () => applyMigrations(databaseUrl, { folder })]
  for (const look of looks)
    await expect(look()).rejects.toThrow('newer than these sources: it has 3 migrations, they know 2')

  await write(`${first} -- changed`, 'create table c (id int);', 'create table d (id int);')
  await expect(applyMigrations(endpoint.databaseUrl, { folder })).rejects.toThrow('migration 0 was changed')
})

test('continues an aborted migration behind its completed steps and builds an invalid index again', async () => {
  const database = connectDatabase(endpoint.databaseUrl)
  await database.execute(sql`drop schema if exists drizzle cascade`)
  await database.execute(sql`create table numbers (value int)`)
  await database.execute(sql`insert into numbers values (1), (1)`)
  const steps = [
    'create table before (id int)',
    'create unique index concurrently "numbers_once" on "numbers" ("value")',
    'drop index concurrently "absent"',
    'create table after (id int);',
  ]
  const text = steps.join(';\n--> statement-breakpoint\n')
  await write(text)
  const findIndexes = async () =>
    (await database.execute(sql`select indisvalid from pg_index where indrelid = 'numbers'::regclass`)).rows

  await expect(applyMigrations(endpoint.databaseUrl, { folder })).rejects.toThrow()
  expect(await findIndexes()).toEqual([{ indisvalid: false }])
  expect(await findPendingMigrations(endpoint.databaseUrl, folder)).toEqual(['m0'])
  await write(text.replace('before', 'other'))
  await expect(applyMigrations(endpoint.databaseUrl, { folder })).rejects.toThrow('completed part')

  await database.execute(sql`truncate numbers`)
  await write(text)
  expect(await applyMigrations(endpoint.databaseUrl, { folder })).toBe(1)
  expect(await findIndexes()).toEqual([{ indisvalid: true }])
  expect(await findTables()).toEqual(expect.arrayContaining(['after', 'before', 'numbers']))
  expect(await applyMigrations(endpoint.databaseUrl, { folder })).toBe(0)
})

test('applies the migrations of the service', async () => {
  const empty = await openPglite()
  const other = await databaseEndpoint({ backend: empty, port: 0 })
  expect(await applyMigrations(other.databaseUrl)).toBeGreaterThan(0)
  expect(await applyMigrations(other.databaseUrl)).toBe(0)
  await other.close()
  await empty.close()
})
