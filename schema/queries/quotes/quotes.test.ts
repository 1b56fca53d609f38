import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toServerTimingHeader, withRoundTrips } from '#shared/logging/serverTiming.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { insertQuote, type NewQuote } from './quotes.ts'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await startTestDatabase()
})
afterAll(() => testDatabase.close())

const quote: NewQuote = {
  chainId: 11_155_111,
  sellToken: '0x1000000000000000000000000000000000000001',
  buyToken: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
  sellAmount: 2n ** 256n - 1n,
  buyAmount: 1n,
  kind: 'sell',
  quoteKind: 'eip1271onchainorder',
  gasAmount: 127_000n,
  gasPrice: 2_000_000_000n,
  sellTokenPrice: 1.5e-21,
  feeAmount: 400_000n,
  offeredSellAmount: 2n ** 256n - 400_001n,
  offeredBuyAmount: 3n,
  solver: '0x5000000000000000000000000000000000000005',
  verified: false,
  metadata: { version: '1.0', interactions: [], preInteractions: [], jitOrders: [] },
  elapsedMs: 1_234,
  expiresAt: new Date('2026-08-01T10:01:00.123Z'),
}

test('stores a quote to the atom under its own id, in one round trip', async () => {
  const [first, timing] = await withRoundTrips(async (spans) => [
    await insertQuote(testDatabase.database, quote),
    toServerTimingHeader(spans),
  ])
  const second = await insertQuote(testDatabase.database, { ...quote, kind: 'buy' })
  expect(timing).toMatch(/^db;dur=[\d.]+;desc="1"$/)
  expect(Number.isSafeInteger(first)).toBe(true)
  expect(second).not.toBe(first)
  const rows = await testDatabase.database.select().from(quotes).where(eq(quotes.id, first))
  expect(rows).toEqual([{ ...quote, id: first, createdAt: expect.any(Date) }])
})
