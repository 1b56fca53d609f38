import { expect, test } from 'vitest'
import { settingsSchema } from './settings.ts'

test('an auction Worker without optional settings has the documented times and bounds', () => {
  const settings = settingsSchema.parse({
    NETWORK: 'sepolia',
    DATABASE_URL: 'postgres://user:password@host/database',
    RPC_URL: 'http://127.0.0.1:1',
    SOLVERS: JSON.stringify([{ name: 'direct', address: `0x${'51'.repeat(20)}`, binding: 'SOLVER_DIRECT' }]),
    SOLVER_DIRECT: { fetch: () => undefined },
    CLOCK: {},
    SOLVER_CONNECTIONS: {},
  })
  expect(settings).toMatchObject({
    SOLVE_TIME_MS: 10_000,
    TICK_INTERVAL_MS: 1_000,
    AUCTION_INTERVAL_MS: 10_000,
    MIN_VALIDITY_SECONDS: 60,
    PRICE_MAX_AGE_MS: 30_000,
    OUT_OF_MARKET_BPS: 5_000,
    PLAUSIBLE_RATE_FACTOR: 10,
    BANNED_USERS: [],
    UNSUPPORTED_TOKENS: [],
    SURPLUS_CAPTURING_JIT_ORDER_OWNERS: [],
  })
})
