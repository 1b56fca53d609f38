import { neon, neonConfig } from '@neondatabase/serverless'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { createNeonClient } from './createNeonClient.ts'
import { DatabaseError } from './DatabaseError.ts'

let testDatabase: TestDatabase
let client: ReturnType<typeof createNeonClient>
let reference: ReturnType<typeof neon>

beforeAll(async () => {
  testDatabase = await startTestDatabase()
  const { databaseUrl } = testDatabase
  neonConfig.fetchEndpoint = (host, port) => `http://${host}:${port}/sql`
  client = createNeonClient(databaseUrl, fetch)
  reference = neon(databaseUrl)
})
afterAll(() => testDatabase?.close())

const kinds = [
  'select true as a, false as b, null::boolean as c',
  'select 1::int2 as a, -2::int4 as b, 3000000000::oid as c',
  'select 9223372036854775807::int8 as a, -1::int8 as b, 0.1::numeric(40, 20) as c, 1e77::numeric as d',
  "select 1.5::float8 as a, 'NaN'::float8 as b, '-Infinity'::float4 as c",
  `select '{"a": [1, null, "ü"]}'::json as a, '"text"'::jsonb as b, 'null'::jsonb as c, '[1e3]'::jsonb as d`,
  "select 'text' as a, ''::varchar as b, 'ü🙂' as c, null::text as d",
  "select 1 as a, 2 as a, 'same name' as b",
  'select 1 as a where false',
  'select count(*) from generate_series(1, 3)',
]
const options = { fullResults: true as const }
const pick = ({ command, rowCount, rows, fields }: Record<'command' | 'rowCount' | 'rows' | 'fields', unknown>) => ({
  ...{ command, rowCount, rows },
  names: (fields as { name: string }[]).map(({ name }) => name),
})

test.each(kinds)("values are those of Neon's driver: %s", async (sql) => {
  for (const arrayMode of [false, true]) {
    const expected = await reference.query(sql, [], { ...options, arrayMode })
    expect(pick(await client.run({ sql, params: [], arrayMode }))).toEqual(pick(expected))
  }
})

test('times, bytes and arrays are text', async () => {
  const sql = "select '2026-01-02 03:04:05.678+00'::timestamptz as a, '\\x00ff'::bytea as b, array[1, null] as c"
  const { rows } = await client.run({ sql, params: [], arrayMode: true })
  expect(rows).toEqual([['2026-01-02 03:04:05.678+00', '\\x00ff', '{1,NULL}']])
})

test.each([
  ['text', ['text', '', 'ü🙂', '"quoted\\"', null]],
  ['boolean', [true, false]],
  ['numeric', [1, -1.5, 10n ** 77n]],
  ['timestamptz', [new Date('2026-01-02T03:04:05.678Z')]],
  ['jsonb', [{ a: [1, null, 'ü'] }, { toJSON: () => 'own' }]],
  ['int8[]', [[1n, 2n, null], []]],
  ['text[]', [['a"b', 'c\\d', '', 'NULL', 'e,f', '{g}', null]]],
  [
    'int4[]',
    [
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ],
])("parameters of type %s arrive as those of Neon's driver", async (type, values) => {
  for (const value of values) {
    const sql = `select $1::${type}::text as value`
    const expected = await reference.query(sql, [value], { ...options, arrayMode: false })
    expect((await client.run({ sql, params: [value], arrayMode: false })).rows).toEqual(expected.rows)
  }
  await expect(client.run({ sql: 'select $1::bytea', params: [new Uint8Array(1)], arrayMode: false })).rejects.toThrow(
    'bytes are passed as text',
  )
})

test("an error has the fields of Neon's driver", async () => {
  const sql = 'insert into app_data (hash) values (null)'
  const expected = await reference.query(sql, [], options).catch((error: object) => error)
  const failure = await client.run({ sql, params: [], arrayMode: false }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(DatabaseError)
  const { code, severity, table, column, message } = expected as unknown as DatabaseError & Record<string, unknown>
  expect(failure).toMatchObject({ code, severity, table, column, message })
  expect(code).toBe('23502')
})

test('a batch is one transaction', async () => {
  const insert = { sql: "insert into app_data (hash, full_app_data) values ($1, '{}')", arrayMode: true }
  const count = async () =>
    (await client.run({ sql: 'select count(*)::int from app_data', params: [], arrayMode: true })).rows[0]
  const before = await count()
  const statements = [1, 1].map((byte) => ({ ...insert, params: [`\\x${`0${byte}`.repeat(32)}`] }))
  await expect(client.runBatch(statements)).rejects.toMatchObject({ code: '23505' })
  expect(await count()).toEqual(before)
  const results = await client.runBatch(statements.slice(0, 1))
  expect(results).toMatchObject([{ command: 'INSERT', rowCount: 1 }])
})

test('statements name the program, and a response that is no answer is an error', async () => {
  const sent: { url: string; headers: Record<string, string> }[] = []
  const send = async (url: string, { headers }: RequestInit) => {
    sent.push({ url, headers: headers as Record<string, string> })
    return new Response('too large', { status: 413 })
  }
  const own = createNeonClient('postgres://user:pass@ep-one-two.eu-central-1.aws.neon.tech/db?sslmode=require', send)
  await expect(own.run({ sql: 'select 1', params: [], arrayMode: true })).rejects.toThrow('status 413: too large')
  expect(sent).toMatchObject([
    {
      url: 'https://api.eu-central-1.aws.neon.tech/sql',
      headers: {
        'Neon-Connection-String':
          'postgresql://user:pass@ep-one-two.eu-central-1.aws.neon.tech/db?sslmode=require&application_name=edgebook',
      },
    },
  ])
})
