import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { DriverError } from './DriverError.ts'
import { getQuote } from './getQuote.ts'

const token: Address = '0x1000000000000000000000000000000000000001'
const other: Address = '0x2000000000000000000000000000000000000002'
const requestQuote = async (app: ReturnType<typeof getQuote>, timeoutMs = 5_000) => {
  const deadline = new Date(Date.now() + timeoutMs).toISOString()
  const query = new URLSearchParams({ sellToken: token, buyToken: other, amount: '1', kind: 'sell', deadline })
  const response = await app.request(`/quote?${query}`)
  const { kind } = (await response.json()) as { kind?: string }
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), kind }
}

test('a missing route is 400 QuotingFailed, a node that fails is 503 Unavailable', async () => {
  const failing = (error: Error) => getQuote({ findQuote: () => Promise.reject(error), now: Date.now })
  expect(await requestQuote(failing(new DriverError('QuotingFailed', 'no route')))).toEqual({
    status: 400,
    retryAfter: null,
    kind: 'QuotingFailed',
  })
  expect(await requestQuote(failing(new Error('fetch failed')))).toEqual({
    status: 503,
    retryAfter: '1',
    kind: 'Unavailable',
  })
})
