import { DrizzleQueryError } from 'drizzle-orm/errors'
import { HttpRequestError } from 'viem'
import { expect, it } from 'vitest'
import { describeError } from './describeError.ts'

it('says what failed in one short line, without the RPC’s key, statements or parameters', () => {
  const rpc = describeError(new HttpRequestError({ url: 'https://rpc.example/secret-key', status: 500 }))
  expect(rpc).toMatch(/^HttpRequestError: HTTP request failed/)
  expect(rpc).not.toContain('secret-key')
  const query = new DrizzleQueryError('select secret', ['parameter'], new Error('relation\n is missing'))
  expect(describeError(query)).toBe('Error: relation is missing')
  expect(describeError('x'.repeat(1_000))).toHaveLength(500)
})
