import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
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

const writeMigrations = async (...migrations: string[]): Promise<void> => {
  await mkdir(join(folder, 'meta'), { recursive: true })
  const entries = migrations.map((_, idx) => ({
    idx,
    version: '7',
    when: 1000 + idx,
    tag: `m${idx}`,
    breakpoints: true,
  }))
  await writeFile(join(folder, 'meta/_journal.json'), JSON.stringify({ version: '7', dialect: 'postgresql', entries }))
  await Promise.all(migrations.map((text, idx) => writeFile(join(folder, `m${idx}.sql`), text)))
}

const findTables = async (): Promise<string[]> => {
  const { rows } = await connectDatabase(endpoint.databaseUrl).execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  )
  return rows.map(({ name }) => name)
}

test('applies each migration once, rolls a failing one back, and rejects a changed one and a newer database', async () => {
  const first = 'create table a (id int);\n--> statement-breakpoint\ncreate table b (id int);'
  await writeMigrations(first)
  expect(await findPendingMigrations(endpoint.databaseUrl, folder)).toEqual(['m0'])
  expect(await applyMigrations(endpoint.databaseUrl, folder)).toBe(1)
  expect(await applyMigrations(endpoint.databaseUrl, folder)).toBe(0)
  expect(await findTables()).toEqual(['a', 'b'])

  await writeMigrations(
    first,
    'create table c (id int);',
    'create table d (id int);\n--> statement-breakpoint\nselect 1/0;',
  )
  expect(await findPendingMigrations(endpoint.databaseUrl, folder)).toEqual(['m1', 'm2'])
  await expect(applyMigrations(endpoint.databaseUrl, folder)).rejects.toThrow()
  expect(await findTables()).toEqual(['a', 'b'])

  await writeMigrations(first, 'create table c (id int);', 'create table d (id int);')
  expect(await applyMigrations(endpoint.databaseUrl, folder)).toBe(2)
  expect(await findTables()).toEqual(['a', 'b', 'c', 'd'])

  await writeMigrations(first, 'create table c (id int);')
  for (const look of [findPendingMigrations, applyMigrations])
    await expect(look(endpoint.databaseUrl, folder)).rejects.toThrow(
      'newer than these sources: it has 3 migrations, they know 2',
    )

  await writeMigrations(`${first} -- changed`, 'create table c (id int);', 'create table d (id int);')
  await expect(applyMigrations(endpoint.databaseUrl, folder)).rejects.toThrow('migration 0 was changed')
})

test('applies the migrations of the service', async () => {
  const empty = await openPglite()
  const other = await databaseEndpoint({ backend: empty, port: 0 })
  expect(await applyMigrations(other.databaseUrl)).toBeGreaterThan(0)
  expect(await applyMigrations(other.databaseUrl)).toBe(0)
  await other.close()
  await empty.close()
})
