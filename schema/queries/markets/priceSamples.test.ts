import { sql } from 'drizzle-orm'
import type { Address } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertSettledTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'
import { orders } from '../../tables/orders/orders.ts'
import { selectTradedTokens } from '../tokens/tradedTokens.ts'
import { insertPriceSamples, nearestPrice, selectPriceRatios, selectPriceSamples } from './priceSamples.ts'

const network = networks.sepolia
const { chainId, wrappedNative } = network
const token = (digit: string): Address => `0x${digit.repeat(40)}`
const day = 86_400
const noon = Date.UTC(2026, 0, 1, 12) / 1_000

const { database, close } = await startTestDatabase()

beforeEach(() => database.delete(priceSamples))
afterAll(close)

const sample = (address: Address, price: number, now: number) =>
  insertPriceSamples(database, network, [{ token: address, price }], now)

test('returns series in time order, of the given tokens and period', async () => {
  await sample(token('1'), 3, noon + 600)
  await sample(token('1'), 1, noon)
  await sample(token('1'), 2, noon + 590)
  await sample(token('2'), 7, noon + 400)
  await sample(token('3'), 9, noon)
  await insertPriceSamples(database, networks.base, [{ token: token('1'), price: 5 }], noon)
  expect(await selectPriceSamples(database, chainId, [token('1'), token('2')], noon + 1)).toEqual([
    { token: token('1'), time: noon + 300, price: 2 },
    { token: token('2'), time: noon + 300, price: 7 },
    { token: token('1'), time: noon + 600, price: 3 },
  ])
})

test('old samples become fewer: one of an hour after two days, of a day after two weeks, none after 90 days', async () => {
  await sample(wrappedNative, 1, noon - 1_000 * day + 300)
  const midnight = noon - day / 2
  const ages: [price: number, at: number][] = [
    ...([[2, noon - 91 * day]] as const),
    ...([
      [3, midnight - 14 * day],
      [4, midnight - 14 * day + 3_600],
    ] as const),
    ...([
      [5, noon - 2 * day - 3_600],
      [6, noon - 2 * day - 3_300],
    ] as const),
    ...([
      [7, noon - day],
      [8, noon - day + 300],
    ] as const),
  ].map(([price, at]) => [price, at])
  for (const [price, at] of ages) await sample(token('1'), price, at)
  await insertPriceSamples(database, networks.base, [{ token: token('1'), price: 9 }], noon - 2 * day - 3_300)
  await sample(token('1'), 10, noon)
  const rows = await database.select({ price: priceSamples.price }).from(priceSamples)
  expect(rows.map(({ price }) => price).sort((a, b) => a - b)).toEqual([1, 3, 5, 7, 8, 9, 10])
})

test('a sample is of the step that began last, never of the future', async () => {
  await sample(token('1'), 2, noon + 299)
  expect(await selectPriceSamples(database, chainId, [token('1')], noon)).toMatchObject([{ time: noon }])
})

test('a ratio is of samples of the same time, of one network', async () => {
  await sample(token('1'), 3, noon)
  await sample(token('2'), 2, noon)
  await sample(token('1'), 5, noon + 300)
  await insertPriceSamples(database, networks.base, [{ token: token('2'), price: 5 }], noon + 300)
  const pair = { base: token('1'), quote: token('2'), since: noon }
  expect(await selectPriceRatios(database, chainId, pair)).toEqual([{ time: noon, price: 1.5 }])
  expect(await selectPriceRatios(database, chainId, { ...pair, since: noon + 1 })).toEqual([])
})

test.each<[string, number, number]>([
  ['before all', noon - day, 1],
  ['at one', noon + 300, 2],
  ['nearer to the earlier one', noon + 440, 2],
  ['nearer to the later one', noon + 460, 3],
  ['after all', noon + day, 3],
])('the nearest price %s', async (_, at, expected) => {
  for (const [i, price] of [1, 2, 3].entries()) await sample(wrappedNative, price, noon + i * 300)
  await sample(token('1'), 9, noon + 300)
  const ask = async (address: Address) => {
    const bytes = sql`${`\\x${address.slice(2)}`}::bytea`
    const [row] = await database
      .select({ price: nearestPrice(chainId, bytes, sql`to_timestamp(${at})`) })
      .from(sql`(select) once`)
    return row?.price
  }
  expect(await ask(wrappedNative)).toBe(expected)
  expect(await ask(token('2'))).toBeNull()
})

test('returns tokens of the newest trades, then those of open orders', async () => {
  const now = Math.floor(Date.now() / 1_000)
  const insertTrade = (blockNumber: number, sellToken: Address, buyToken: Address, chain: number = chainId) =>
    insertSettledTrade(database, blockNumber, { sellToken, buyToken, chainId: chain })
  await insertTrade(10, token('1'), token('2'))
  await insertTrade(20, token('3'), nativeSentinel)
  await insertTrade(30, token('8'), token('8'), 1)
  const insertOrder = (index: number, changes: object) =>
    database.insert(orders).values({ ...newOrder(index), chainId, ...changes } as typeof orders.$inferInsert)
  const open = { sellToken: token('4'), buyToken: token('1'), validTo: now + 600 }
  await insertOrder(1, open)
  await insertOrder(2, { ...open, sellToken: token('5'), validTo: now - 1 })
  await insertOrder(3, { ...open, sellToken: token('6'), cancelledAt: new Date() })
  await insertOrder(4, { ...open, sellToken: token('7'), invalidated: true })
  expect(await selectTradedTokens(database, chainId, now)).toEqual([
    token('3'),
    nativeSentinel,
    token('1'),
    token('2'),
    token('4'),
  ])
})

measureRows(
  selectPriceSamples,
  (database, h) => selectPriceSamples(database, h.chainId, [h.sellToken, h.buyToken], nowSeconds() - 86_400),
  { reads: (h) => h.rowsOfDays(1, 2) },
)
measureRows(
  selectPriceRatios,
  (database, h) =>
    selectPriceRatios(database, h.chainId, { base: h.sellToken, quote: h.buyToken, since: nowSeconds() - 90 * 86_400 }),
  { reads: 20_000 },
)
measureRows(insertPriceSamples, (database, h) =>
  insertPriceSamples(
    database,
    { chainId: h.chainId, wrappedNative: h.wrappedNative },
    [{ token: h.sellToken, price: 1 }],
    nowSeconds(),
  ),
)
measureRows(selectTradedTokens, (database, h) => selectTradedTokens(database, h.chainId, nowSeconds()), {
  reads: (h) => 20_000 + h.openOrders,
})
