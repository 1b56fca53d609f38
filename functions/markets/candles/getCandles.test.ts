import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { tradeValues } from '#schema/tables/settlements/tradeValues.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getCandles } from './getCandles.ts'

const { wrappedNative: weth, chainId } = networks.sepolia
const usdc: Address = `0x${'0c'.repeat(20)}`
const hour = 3_600
const now = 500_000 * hour + 100
const at = (hours: number) => 500_000 * hour + hours * hour
const toDate = (time: number) => new Date(time * 1_000)
const { database, close } = await startTestDatabase()
afterAll(close)

/** Trades of a quarter of a WETH (18 decimals) for USDC (6 decimals), the last one of the native token. */
beforeAll(async () => {
  const common = { chainId, logIndex: 0, settledAt: toDate(at(-3)), trader: usdc, solver: usdc }
  const amounts = [500_000_000n, 525_000_000n, 475_000_000n, 512_500_000n]
  await database.insert(tradeValues).values(
    amounts.map((buyAmount, index) => ({
      ...common,
      blockNumber: index,
      sellToken: index === 3 ? nativeSentinel : weth,
      buyToken: usdc,
      sellAmount: 25n * 10n ** 16n,
      buyAmount,
    })),
  )
})

const get = async (query = '', pair = `${weth}-${usdc}`) => {
  const app = getCandles({
    checkServed: () => undefined,
    now: () => now * 1_000,
    findTokens: async () => (token) =>
      token === weth ? { decimals: 18, symbol: 'WETH' } : token === usdc ? { decimals: 6, symbol: 'USDC' } : undefined,
    databaseOf: () => database,
  })
  const response = await app.request(`/${chainId}/markets/${pair}/candles${query}`)
  return { status: response.status, headers: response.headers, body: (await response.json()) as { candles: object[] } }
}

test('execution prices stand apart from sampled ones, in whole tokens, and an interval without data has no candle', async () => {
  const { headers, body } = await get('?interval=1h&count=4')
  expect(headers.get('Cache-Control')).toBe('public, max-age=15')
  expect(body).toEqual({
    interval: '1h',
    since: toDate(at(-3)).toISOString(),
    candles: [
      {
        ...{ time: toDate(at(-3)).toISOString(), source: 'trades', trades: 4 },
        ...{ open: null, high: null, low: null, close: null },
        fills: {
          ...{ open: expect.closeTo(2_000, 6), high: expect.closeTo(2_100, 6) },
          ...{ low: expect.closeTo(1_900, 6), close: expect.closeTo(2_050, 6) },
        },
        ...{ baseVolume: '1000000000000000000', quoteVolume: '2012500000' },
      },
    ],
  })
  expect((await get('?interval=1h&count=3')).body).toMatchObject({ candles: [] })
})

test('the native token and its wrapped form are one market', async () => {
  const { body } = await get('?interval=1d&count=90', `${usdc}--`)
  expect(body).toMatchObject({ candles: [{ trades: 4, baseVolume: '2012500000' }] })
})

test('prices are those of samples alone, where both tokens have one at the same time', async () => {
  const sample = (token: Address, time: number, price: number) => ({ chainId, token, sampledAt: toDate(time), price })
  await database
    .insert(priceSamples)
    .values([
      ...[sample(weth, at(-3) + 300, 2_000), sample(usdc, at(-3) + 300, 1)],
      ...[sample(weth, at(-2), 2_000), sample(weth, at(-2) + 300, 2_200), sample(weth, at(-2) + 600, 2_100)],
      ...[sample(usdc, at(-2), 1), sample(usdc, at(-2) + 300, 1), sample(usdc, at(-2) + 600, 0.5)],
      sample(weth, at(-1), 1_000),
      ...[sample(nativeSentinel, at(-2), 7), sample(usdc, at(-2) - 86_400, 1), sample(weth, at(-2) - 86_400, 1)],
    ])
  const { body } = await get('?count=4')
  expect(body.candles).toMatchObject([
    { source: 'samples', ...{ open: 2_000, high: 2_000, low: 2_000, close: 2_000 }, fills: { high: 2_100 }, trades: 4 },
    {
      ...{ time: toDate(at(-2)).toISOString(), source: 'samples', fills: null, trades: 0 },
      ...{ baseVolume: '0', quoteVolume: '0' },
      ...{ open: 2_000, high: 4_200, low: 2_000, close: 4_200 },
    },
  ])
  expect(body.candles).toHaveLength(2)
  // the native token has the samples of its wrapped form
  const { body: inverse } = await get('?count=4', `${usdc}--`)
  expect(inverse.candles).toMatchObject([
    { source: 'samples', open: 1 / 2_000 },
    { source: 'samples', open: 1 / 2_000, low: 1 / 4_200, close: 1 / 4_200 },
  ])
})

test.each(['interval=2h', 'count=0', 'count=x', 'interval=1d&count=91', 'interval=5m&count=289', 'count=337'])(
  'rejects %s',
  async (query) => {
    expect((await get(`?${query}`)).status).toBe(400)
  },
)

test.each(['count=0', 'count=1001', 'interval=1d&count=91'])('%s is refused with the most candles', async (query) => {
  expect((await get(`?${query}`)).body).toMatchObject({
    message: expect.stringMatching(/\b90\b/),
    data: { field: 'count' },
  })
})

test('a token without known decimals has no candles', async () => {
  expect((await get('', `${weth}-0x${'0d'.repeat(20)}`)).status).toBe(404)
})
