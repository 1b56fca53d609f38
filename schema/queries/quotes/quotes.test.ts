import { eq, inArray } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { toServerTimingHeader, withRoundTrips } from '#shared/logging/serverTiming.ts'
import { dayMs } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { deleteOldQuotes, insertQuote, type NewQuote, selectNewestQuote } from './quotes.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

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
    await insertQuote(database, quote),
    toServerTimingHeader(spans),
  ])
  const second = await insertQuote(database, { ...quote, kind: 'buy' })
  expect(timing).toMatch(/^db;dur=[\d.]+;desc="1"$/)
  expect(Number.isSafeInteger(first)).toBe(true)
  expect(second).not.toBe(first)
  const rows = await database.select().from(quotes).where(eq(quotes.id, first))
  expect(rows).toEqual([{ ...quote, id: first, createdAt: expect.any(Date) }])
})

test('deletes the oldest quotes of one network, so many at once, and none from the time on', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
  const insert = (second: number, chainId = quote.chainId) =>
    insertQuote(database, { ...quote, chainId, createdAt: at(second) })
  const [third, first, second, fourth] = [await insert(3), await insert(1), await insert(2), await insert(4)]
  const foreign = await insert(1, 1)
  const all = [first, second, third, fourth, foreign]
  const remaining = async () =>
    (await database.select({ id: quotes.id }).from(quotes).where(inArray(quotes.id, all))).map(({ id }) => id).sort()
  expect(await deleteOldQuotes(database, quote.chainId, at(4), 2)).toBe(2)
  expect(await remaining()).toEqual([third, fourth, foreign].sort())
  expect(await deleteOldQuotes(database, quote.chainId, at(4), 2)).toBe(1)
  expect(await deleteOldQuotes(database, quote.chainId, at(4), 2)).toBe(0)
  expect(await remaining()).toEqual([fourth, foreign].sort())
})

test('a clock that is a year ahead deletes no quote that an order may still name', async () => {
  const now = Date.now()
  const insert = (expiresInMs: number) =>
    insertQuote(database, {
      ...quote,
      chainId: 5,
      createdAt: new Date(now - 1_000),
      expiresAt: new Date(now + expiresInMs),
    })
  const [live] = [await insert(600_000), await insert(-500)]
  expect(await deleteOldQuotes(database, 5, new Date(now + 365 * 86_400_000), 100)).toBe(1)
  expect(await database.select({ id: quotes.id }).from(quotes).where(eq(quotes.chainId, 5))).toEqual([{ id: live }])
})

measureRows(selectNewestQuote, (database, h) => selectNewestQuote(database, h))
measureRows(
  deleteOldQuotes,
  (database, h) => deleteOldQuotes(database, h.chainId, new Date(Date.now() - dayMs), 1_000),
  { reads: 1_000 },
)
measureRows(insertQuote, (database, { chainId, sellToken, buyToken, solver }) =>
  insertQuote(database, { ...quote, chainId, sellToken, buyToken, solver }),
)
