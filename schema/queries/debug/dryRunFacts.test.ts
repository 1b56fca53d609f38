import { gte } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { documentHash, hashOf, newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectDryRunFacts, selectStoredDryRunFacts } from './dryRunFacts.ts'

const { chainId, wrappedNative } = networks.sepolia
const order = newOrder(1)
const { uid, sellToken, buyToken, appDataHash } = order
const [rare, priceless, oldest] = [`0x${'0a'.repeat(20)}`, `0x${'0b'.repeat(20)}`, `0x${'0c'.repeat(20)}`] as const

const { database, close } = await startTestDatabase()

beforeAll(async () => {
  await insertOrder(database, order)
  await database.insert(currentAuctions).values([
    { chainId, id: 9, block: 1, prices: { [wrappedNative]: '100', [buyToken]: '7' } },
    { chainId: 1, id: 10, block: 1, prices: { [wrappedNative]: '1', [buyToken]: '1', [priceless]: '1' } },
  ])
  await database.insert(auctions).values([
    { chainId, id: 5, block: 1, deadlineBlock: 2, prices: { [wrappedNative]: '99', [rare]: '3', [buyToken]: '6' } },
    { chainId, id: 6, block: 1, deadlineBlock: 2, prices: { [wrappedNative]: '98', [rare]: '0' } },
  ])
})

afterAll(close)

const select = (query: Partial<Parameters<typeof selectDryRunFacts>[3]>) =>
  selectDryRunFacts(database, chainId, wrappedNative, {
    ...{ uid, appDataHash, quoteId: null, sellToken, buyToken },
    ...query,
  })

test("returns an order, its document and the newest auction's prices of its tokens", async () => {
  const facts = await select({})
  expect(facts).toMatchObject({
    stored: { uid, sellToken, buyToken },
    fullAppData: '{}',
    market: { auctionId: 9, sellPrice: 100n, buyPrice: 7n },
  })
  expect(await selectStoredDryRunFacts(database, chainId, wrappedNative, uid)).toEqual(facts)
})

test('returns prices alone for an unknown order', async () => {
  expect(await select({ uid: newOrder(2).uid, appDataHash: `0x${'00'.repeat(32)}` })).toMatchObject({
    stored: null,
    fullAppData: null,
    market: { auctionId: 9 },
  })
  expect(await select({ uid: null, appDataHash: null })).toMatchObject({ stored: null, fullAppData: null })
  const nothing = {
    stored: null,
    fullAppData: null,
    namedQuote: null,
    market: null,
    settlementFailures: null,
    inFlight: false,
  }
  const unknown = newOrder(2).uid
  expect(await selectStoredDryRunFacts(database, chainId, wrappedNative, unknown)).toEqual(nothing)
})

test('uses prices of the fifty auctions before the newest one and of no earlier one', async () => {
  const add = (id: number, prices: Record<string, string>) =>
    database
      .insert(auctions)
      .values({ chainId, id, block: 1, deadlineBlock: 2, prices: { [wrappedNative]: '1', ...prices } })
  const query = { sellToken: wrappedNative, buyToken: oldest }
  await add(100, { [oldest]: '8' })
  for (let id = 101; id < 150; id++) await add(id, {})
  expect((await select(query)).market).toMatchObject({ auctionId: 149, buyPrice: 8n })
  await add(150, {})
  expect((await select(query)).market).toBeNull()
  await database.delete(auctions).where(gte(auctions.id, 100))
})

test.each([
  ['what the newest auction does not have, an earlier one does', { buyToken: rare }, { auctionId: 9, buyPrice: 3n }],
  [
    'tokens that no auction has together have the newest price of each',
    { sellToken: rare },
    { auctionId: 5, sellPrice: 3n, buyPrice: 7n },
  ],
  [
    'the native token is worth the wrapped one',
    { sellToken: buyToken, buyToken: nativeSentinel },
    { auctionId: 9, buyPrice: 100n },
  ],
  ['a token that was never priced has no price', { buyToken: priceless }, null],
])('%s', async (_, query, market) => {
  const facts = await select(query)
  if (market) expect(facts.market).toMatchObject(market)
  else expect(facts.market).toBeNull()
})

test('finds the documents of orders by their hash', async () => {
  expect((await select({ uid: null, appDataHash: documentHash })).fullAppData).toBe('{}')
})

measureRows(selectDryRunFacts, (database, { chainId, wrappedNative, uid, middle: quoteId, sellToken, buyToken }) =>
  selectDryRunFacts(database, chainId, wrappedNative, { uid, appDataHash: hashOf(1), quoteId, sellToken, buyToken }),
)
measureRows(selectStoredDryRunFacts, (database, h) =>
  selectStoredDryRunFacts(database, h.chainId, h.wrappedNative, h.uid),
)
