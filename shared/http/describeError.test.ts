import { sql } from 'drizzle-orm'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { HttpRequestError } from 'viem'
import { expect, it } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { describeError } from './describeError.ts'

it('says what failed in one short line, without the RPC’s key, statements or parameters', () => {
  const rpc = describeError(new HttpRequestError({ url: 'https://rpc.example/secret-key', status: 500 }))
  expect(rpc).toMatch(/^HttpRequestError: HTTP request failed/)
  expect(rpc).not.toContain('secret-key')
  const query = new DrizzleQueryError('select secret', ['parameter'], new Error('relation\n is missing'))
  expect(describeError(query)).toBe('Error: relation is missing')
  expect(describeError('x'.repeat(1_000))).toHaveLength(500)
})

it('says what kept the database or a node from answering, however that is wrapped', async () => {
  const database = connectDatabase('postgres://user:password@127.0.0.1:65535/edgebook')
  const failure = await database.execute(sql`select 1`).catch((error: unknown) => error)
  expect(describeError(failure)).toMatch(/^Error: connect ECONNREFUSED 127\.0\.0\.1:65535/)
})
