import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOnServer } from '#test/helpers/database/server/createOnServer.ts'
import { diagnoseDatabase } from '../doctor/diagnoseDatabase.ts'
import { migrate } from '../stack/applyMigrations.ts'
import { openPostgres } from '../stack/database/openPostgres.ts'
import { databaseEndpoint } from '../stack/databaseEndpoint.ts'
import { grantRows, readRole } from './grantRows.ts'
import { connectMigrationSession } from './migrationSession.ts'

const server = process.env.TEST_DATABASE_URL

test('the role of a connection string is decoded', () => {
  expect(readRole('postgresql://a%40b:secret@host/database')).toBe('a@b')
})

describe.skipIf(!server)('a role for the Workers', () => {
  const suffix = randomBytes(6).toString('hex')
  const roles = { owner: `edgebook owner ${suffix}`, workers: `edgebook_workers_${suffix}` }
  let database: Awaited<ReturnType<typeof createOnServer>>
  let ownerUrl: string
  const open: Client[] = []

  const connect = async (connectionString: string): Promise<Client> => {
    const client = new Client({ connectionString })
    await client.connect()
    open.push(client)
    return client
  }
  const toUrl = (role: string): string => {
    const url = new URL(database.url)
    url.username = encodeURIComponent(role)
    url.password = 'secret'
    return url.href
  }

  beforeAll(async () => {
    database = await createOnServer(server ?? '')
    const admin = await connect(database.url)
    for (const role of Object.values(roles)) await admin.query(`create role "${role}" login password 'secret'`)
    await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to "${roles.owner}"`)
    await admin.query(`alter schema public owner to "${roles.owner}"`)
    ownerUrl = toUrl(roles.owner)
    const session = await connectMigrationSession(ownerUrl)
    await migrate(session)
    await session.close()
  }, 60_000)

  afterAll(async () => {
    await Promise.all(open.map((client) => client.end()))
    await database?.drop()
    const admin = new Client({ connectionString: server })
    await admin.connect()
    for (const role of Object.values(roles)) await admin.query(`drop role if exists "${role}"`)
    await admin.end()
  })

  const write = `insert into app_data (hash, full_app_data) values (decode(repeat('01', 32), 'hex'), '{}')
    on conflict (hash) do update set full_app_data = excluded.full_app_data`
  const isDenied = { code: '42501' }

  test('that has no rights yet is reported with what to set', async () => {
    const backend = openPostgres(toUrl(roles.workers))
    const endpoint = await databaseEndpoint({ backend, port: 0 })
    try {
      const findings = await diagnoseDatabase(endpoint.databaseUrl)
      const finding = findings.find(({ name }) => name.endsWith(', migrations'))
      expect(finding).toMatchObject({ state: 'wrong', detail: expect.stringContaining('permission denied') })
      expect(finding?.remedy).toContain('set MIGRATIONS_DATABASE_URL')
    } finally {
      await endpoint.close()
      await backend.close()
    }
  })

  test('reads and writes rows, also of later tables, and defines nothing', async () => {
    const workers = await connect(toUrl(roles.workers))
    await expect(workers.query(write)).rejects.toMatchObject(isDenied)
    const session = await connectMigrationSession(ownerUrl)
    for (let i = 0; i < 2; i += 1) await grantRows(session, roles.workers)
    await session.close()
    await workers.query(write)
    expect((await workers.query('select full_app_data from app_data')).rows).toEqual([{ full_app_data: '{}' }])
    const { rows } = await workers.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not has_table_privilege(oid, 'select, insert, update, delete')`,
    )
    expect(rows).toEqual([])
    await workers.query(`select order_log_position(pg_current_xact_id())`)
    await workers.query('select hash from drizzle.__drizzle_migrations')

    const owner = await connect(ownerUrl)
    await owner.query('create table later (id bigint primary key generated always as identity, name text)')
    await workers.query(`insert into later (name) values ('a')`)

    for (const refused of [
      'create table own (id integer)',
      'truncate app_data',
      'drop table later',
      'alter table orders add column lane text',
      'create index on orders (owner)',
      'delete from drizzle.__drizzle_migrations',
    ])
      await expect(workers.query(refused), refused).rejects.toMatchObject(isDenied)
  })

  test('that may create tables is reported, with the command that takes the right away', async () => {
    const session = await connectMigrationSession(ownerUrl)
    await grantRows(session, roles.workers)
    await session.close()
    const backend = openPostgres(toUrl(roles.workers))
    const endpoint = await databaseEndpoint({ backend, port: 0 })
    const findRole = async (isForRows = true) => {
      const findings = await diagnoseDatabase(endpoint.databaseUrl, { isForRows })
      return findings.find(({ name }) => name.endsWith(', role'))
    }
    try {
      expect(await findRole()).toMatchObject({ state: 'ok' })
      const owner = await connect(ownerUrl)
      await owner.query(`grant create on schema public to ${roles.workers}`)
      const finding = await findRole()
      expect(finding).toMatchObject({ state: 'limited', detail: expect.stringContaining('create tables') })
      expect(await findRole(false)).toBeUndefined()
      await owner.query(finding?.remedy?.match(/run: ([^;]+);/)?.[1] ?? '')
      expect(await findRole()).toMatchObject({ state: 'ok' })
    } finally {
      await endpoint.close()
      await backend.close()
    }
  })
})
