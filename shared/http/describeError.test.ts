import { sql } from 'drizzle-orm'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { HttpRequestError } from 'viem'
import { expect, test } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { describeError } from './describeError.ts'

test('describes an error in one short line, without RPC keys, statements or parameters', () => {
  const rpc = describeError(new HttpRequestError({ url: 'https://rpc.example/secret-key', status: 500 }))
  expect(rpc).toMatch(/^HttpRequestError: HTTP request failed/)
  expect(rpc).not.toContain('secret-key')
  const query = new DrizzleQueryError('select secret', ['parameter'], new Error('relation\n is missing'))
  expect(describeError(query)).toBe('Error: relation is missing')
  expect(describeError('x'.repeat(1_000))).toHaveLength(500)
})

test('describes the cause of a wrapped database or node error', async () => {
  const database = connectDatabase('postgres://user:password@127.0.0.1:65535/edgebook')
  const failure = await database.execute(sql`select 1`).catch((error: unknown) => error)
  expect(describeError(failure)).toMatch(/^Error: connect ECONNREFUSED 127\.0\.0\.1:65535/)
})
