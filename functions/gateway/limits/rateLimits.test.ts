import { expect, test } from 'vitest'
import { connectRateLimits, noRateLimits } from './rateLimits.ts'

const binding = { limit: async ({ key }: { key: string }) => ({ success: key === 'good' }) }
const quotas = { LIMIT_QUOTES: { limit: 100, period: 10 }, LIMIT_READS: { limit: 600, period: 60 } }
const RATE_LIMITS = JSON.stringify(quotas)

test('a limit takes its quota from the setting and counts in its binding', async () => {
  const { active, states } = connectRateLimits({ RATE_LIMITS, LIMIT_QUOTES: binding, LIMIT_READS: binding })
  expect(active.quotes).toMatchObject({ name: 'quotes', requests: 100, seconds: 10 })
  expect(active.reads).toMatchObject({ name: 'reads', requests: 600, seconds: 60 })
  expect([await active.quotes?.isAllowed('good'), await active.quotes?.isAllowed('bad')]).toEqual([true, false])
  expect(states).toEqual({ quotes: 'on', submissions: 'off', reads: 'on' })
})

test('a limit without its binding is reported as off', () => {
  const { active, states } = connectRateLimits({ RATE_LIMITS, LIMIT_READS: binding, LIMIT_QUOTES: {} })
  expect(Object.keys(active)).toEqual(['reads'])
  expect(states).toMatchObject({ quotes: 'off: no binding LIMIT_QUOTES', reads: 'on' })
})

test('there are no limits without the setting', () => {
  expect(connectRateLimits({ LIMIT_READS: binding })).toEqual(noRateLimits)
})

test.each(['', '{', '[]', '{"LIMIT_QUOTES":{"limit":0,"period":10}}', '{"LIMIT_QUOTES":{"limit":1,"period":11}}'])(
  'RATE_LIMITS=%s is reported as malformed',
  (text) => {
    const { active, states } = connectRateLimits({ RATE_LIMITS: text, LIMIT_QUOTES: binding })
    expect(active).toEqual({})
    expect(Object.values(states)).toEqual(Array(3).fill('off: RATE_LIMITS is malformed'))
  },
)
