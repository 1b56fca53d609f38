import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { DriverQuote } from '#shared/solvers/driverApi.ts'
import { DriverError } from './DriverError.ts'
import { getQuote } from './getQuote.ts'

const token: Address = '0x1000000000000000000000000000000000000001'
const other: Address = '0x2000000000000000000000000000000000000002'
const quote: DriverQuote = {
  clearingPrices: { [token]: 1n, [other]: 1n },
  preInteractions: [],
  interactions: [],
  solver: token,
}
const ask = async (app: ReturnType<typeof getQuote>, timeoutMs = 5_000) => {
  const deadline = new Date(Date.now() + timeoutMs).toISOString()
  const query = new URLSearchParams({ sellToken: token, buyToken: other, amount: '1', kind: 'sell', deadline })
  const response = await app.request(`/quote?${query}`)
  const { kind } = (await response.json()) as { kind?: string }
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), kind }
}

test('a missing route is 400 QuotingFailed, a node that fails is 503 Unavailable', async () => {
  const failing = (error: Error) => getQuote({ findQuote: () => Promise.reject(error), now: Date.now })
  expect(await ask(failing(new DriverError('QuotingFailed', 'no route')))).toEqual({
    status: 400,
    retryAfter: null,
    kind: 'QuotingFailed',
  })
  expect(await ask(failing(new Error('fetch failed')))).toEqual({ status: 503, retryAfter: '1', kind: 'Unavailable' })
})

test('reads pools for four quotes at once, and the others wait', async () => {
  let running = 0
  let most = 0
  const findQuote = async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    return quote
  }
  const app = getQuote({ findQuote, now: Date.now })
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(app)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(most).toBe(4)
})

test('a quote that gets no turn before its deadline is 503', async () => {
  const app = getQuote({ findQuote: () => new Promise(() => {}), now: Date.now })
  for (let i = 0; i < 4; i += 1) void ask(app)
  expect(await ask(app, 200)).toMatchObject({ status: 503, kind: 'Unavailable' })
})
