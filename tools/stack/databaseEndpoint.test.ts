import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { type NeonDbError, neon } from '@neondatabase/serverless'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// lets the driver find a local endpoint
import '#schema/client.ts'
import { openEmptyBackend } from '#test/helpers/database/server/openEmptyBackend.ts'
import { openPglite } from './database/openPglite.ts'
import { openPostgres } from './database/openPostgres.ts'
import { type DatabaseEndpoint, databaseEndpoint } from './databaseEndpoint.ts'

const testServer = process.env.TEST_DATABASE_URL
const backends = [
  { name: 'PGlite', open: () => openPglite() },
  ...(testServer ? [{ name: 'Postgres', open: async () => openPostgres(testServer) }] : []),
]

describe.each(backends)('neon() on $name', ({ open }) => {
  const schema = `endpoint_${randomBytes(6).toString('hex')}`
  let backend: Awaited<ReturnType<typeof open>>
  let endpoint: DatabaseEndpoint
  let sql: ReturnType<typeof neon<false, true>>

  beforeAll(async () => {
    backend = await open()
    endpoint = await databaseEndpoint({ backend, port: 0 })
    sql = neon(endpoint.databaseUrl, { fullResults: true })
    await sql.query(`create schema ${schema}`)
    await sql.query(`create table ${schema}.notes (id int constraint notes_pkey primary key, body text)`)
  })

  afterAll(async () => {
    await sql?.query(`drop schema ${schema} cascade`)
    await endpoint?.close()
    await backend?.close()
  })

  test('returns every kind of value as Postgres text that the driver parses', async () => {
    const values = [
      '\\x00ff10',
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
      '2026-01-02 03:04:05.678901+02',
      { nested: ['ü', null, 1.5] },
      ['a', 'b,"c"', null],
      true,
      null,
      '9223372036854775807',
    ]
    const { fields, rows } = await sql.query(
      `select $1::bytea as bytes, $2::numeric(78,0) as amount, $3::timestamptz as at, $4::jsonb as document,
        $5::text[] as list, $6::boolean as flag, $7::text as nothing, $8::int8 as big`,
      values,
      { types: { getTypeParser: () => (text: string) => text } as never },
    )
    expect(rows).toEqual([
      {
        bytes: '\\x00ff10',
        amount: values[1],
        at: '2026-01-02 01:04:05.678901+00',
        document: '{"nested": ["ü", null, 1.5]}',
        list: '{a,"b,\\"c\\"",NULL}',
        flag: 't',
        nothing: null,
        big: '9223372036854775807',
      },
    ])
    expect(fields.map((field) => field.dataTypeID)).toEqual([17, 1700, 1184, 3802, 1009, 16, 25, 20])
  })

  test('returns command and row count of a statement', async () => {
    const inserted = await sql.query(`insert into ${schema}.notes values (1, 'a'), (2, 'b')`)
    expect(inserted).toMatchObject({ command: 'INSERT', rowCount: 2, rows: [] })
    const selected = await sql.query(`select * from ${schema}.notes order by id`, [], { arrayMode: true })
    expect(selected).toMatchObject({
      command: 'SELECT',
      rowCount: 2,
      rowAsArray: true,
      rows: [
        [1, 'a'],
        [2, 'b'],
      ],
    })
    expect((await sql.query(`comment on table ${schema}.notes is 'x'`)).rowCount).toBeNull()
  })

  test('returns code and constraint of a unique violation', async () => {
    await sql.query(`insert into ${schema}.notes values (10, 'first')`)
    const failure = await sql.query(`insert into ${schema}.notes values (10, 'second')`).catch((error) => error)
    expect(failure as NeonDbError).toMatchObject({
      name: 'NeonDbError',
      code: '23505',
      constraint: 'notes_pkey',
      table: 'notes',
      schema,
      severity: 'ERROR',
    })
  })

  test('commits a batch as a whole or not at all', async () => {
    const [, count] = await sql.transaction([
      sql.query(`insert into ${schema}.notes values (20, 'kept')`),
      sql.query(`select count(*)::int as count from ${schema}.notes where id >= 20`),
    ])
    expect(count?.rows).toEqual([{ count: 1 }])
    await expect(
      sql.transaction([
        sql.query(`insert into ${schema}.notes values (21, 'lost')`),
        sql.query(`insert into ${schema}.notes values (20, 'twice')`),
      ]),
    ).rejects.toMatchObject({ code: '23505' })
    expect((await sql.query(`select id from ${schema}.notes where id >= 20`)).rows).toEqual([{ id: 20 }])
  })

  test('runs a batch with the requested isolation and mode', async () => {
    const [mode] = await sql.transaction(
      [
        sql.query(`select current_setting('transaction_isolation') as isolation,
          current_setting('transaction_read_only') as only, current_setting('transaction_deferrable') as deferrable`),
      ],
      { isolationLevel: 'Serializable', readOnly: true, deferrable: true },
    )
    expect(mode?.rows).toEqual([{ isolation: 'serializable', only: 'on', deferrable: 'on' }])
    await expect(
      sql.transaction([sql.query(`insert into ${schema}.notes values (30, 'x')`)], { readOnly: true }),
    ).rejects.toMatchObject({ code: '25006' })
  })

  test('concurrent batches do not mix', async () => {
    await sql.query(`create table ${schema}.counter (n int not null)`)
    await sql.query(`insert into ${schema}.counter values (0)`)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        sql.transaction([
          sql.query(`update ${schema}.counter set n = n + 1`),
          sql.query(`update ${schema}.counter set n = n + 1`),
        ]),
      ),
    )
    expect((await sql.query(`select n from ${schema}.counter`)).rows).toEqual([{ n: 40 }])
  })
})

/** A page with a host name that resolves to this machine: `fetch` does not let a caller choose the host. */
const postAs = (host: string, url: string, body: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, Host: host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.on('error', reject).end(body)
  })

describe('the endpoint', () => {
  test('refuses malformed bodies, and requests that no Postgres driver sent', async () => {
    const backend = await openEmptyBackend()
    const { url, close } = await databaseEndpoint({ backend, port: 0 })
    const post = (body: string, headers: Record<string, string> = { 'Neon-Connection-String': 'postgres://' }) =>
      fetch(url, { method: 'POST', body, headers })
    expect((await post('{"query":"select 1"}', {})).status).toBe(400)
    expect((await post('{"query":')).status).toBe(400)
    expect((await post('{"query":1}')).status).toBe(400)
    expect((await post('{"query":"select 1","params":[]}')).status).toBe(200)
    expect((await post(' '.repeat(65 * 1024 * 1024))).status).toBe(413)
    expect((await fetch(url)).status).toBe(404)
    const neon = { 'Neon-Connection-String': 'postgres://' }
    const statement = '{"query":"select 1"}'
    expect((await post(statement, { ...neon, Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(statement, { ...neon, Origin: 'http://localhost:8787' })).status).toBe(200)
    expect(await postAs('evil.example', url, statement, neon)).toBe(403)
    expect(await postAs(new URL(url).host, url, statement, neon)).toBe(200)
    await close()
    await backend.close()
  })
})
