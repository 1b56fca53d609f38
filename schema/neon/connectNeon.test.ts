import { expect, test } from 'vitest'
import { connectNeon, isLoopback } from './connectNeon.ts'

const result = { command: 'SELECT', rowCount: 1, fields: [{ name: 'bytes', dataTypeID: 17 }], rows: [['\\x00ff']] }

const send = async (databaseUrl: string) => {
  const sent: unknown[] = []
  const sql = connectNeon(databaseUrl, async (url, { headers }) => {
    sent.push(url, new Headers(headers).get('Neon-Connection-String'))
    return Response.json(result)
  })
  return { rows: await sql.query('select $1', []), sent }
}

test("statements go to Neon's endpoint, to that of a local stack, and name the program", async () => {
  const neon = await send('postgres://user:pass@ep-one-two.eu-central-1.aws.neon.tech/db?sslmode=require')
  expect(neon.sent).toEqual([
    'https://api.eu-central-1.aws.neon.tech/sql',
    'postgresql://user:pass@ep-one-two.eu-central-1.aws.neon.tech/db?sslmode=require&application_name=edgebook',
  ])
  const local = await send('postgres://user:pass@LOCALHOST:5433/db?application_name=own')
  expect(local.sent).toEqual([
    'http://localhost:5433/sql',
    'postgresql://user:pass@localhost:5433/db?application_name=own',
  ])
  expect((await send('postgres://user:pass@[::1]:5433/db')).sent[0]).toBe('http://[::1]:5433/sql')
  expect(isLoopback('postgres://user:pass@LOCALHOST:5433/db')).toBe(true)
  expect(isLoopback('postgres://user:pass@ep-one.eu-central-1.aws.neon.tech/db')).toBe(false)
})

test('bytes stay text', async () => {
  expect((await send('postgres://user:pass@localhost:5433/db')).rows).toEqual([{ bytes: '\\x00ff' }])
})
