import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { CandleQuery, TradeCandle } from '#schema/queries/explorer/candles.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import type { Sample } from './computeCandles.ts'
import { getCandles } from './getCandles.ts'

const { wrappedNative: weth, chainId } = networks.sepolia
const usdc: Address = `0x${'0c'.repeat(20)}`
const hour = 3_600
const now = 500_000 * hour + 100
const at = (hours: number) => 500_000 * hour + hours * hour

/** 2000 USDC (6 decimals) for one WETH (18 decimals) */
const traded: TradeCandle = {
  ...{ time: at(-3), open: 2_000e-12, high: 2_100e-12, low: 1_900e-12, close: 2_050e-12 },
  ...{ baseVolume: 10n ** 18n, quoteVolume: 2_050_000_000n, trades: 3 },
}
const sample = (token: Address, time: number, price: number): Sample => ({ token, time, price })

const get = async (query = '', pair = `${weth}-${usdc}`, samples: Sample[] = []) => {
  const asked: CandleQuery[] = []
  const app = getCandles({
    checkServed: () => undefined,
    now: () => now * 1_000,
    findTokens: async () => (token) =>
      token === weth ? { decimals: 18, symbol: 'WETH' } : token === usdc ? { decimals: 6, symbol: 'USDC' } : undefined,
    selectTradeCandles: async (_, asking) => {
      asked.push(asking)
      return [traded]
    },
    selectPriceSamples: async () => samples,
  })
  const response = await app.request(`/${chainId}/markets/${pair}/candles${query}`)
  return { response, asked }
}

test('prices are in whole tokens, volumes in atoms, and an interval without data has no candle', async () => {
  const { response, asked } = await get('?interval=1h&count=4')
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=15')
  expect(await response.json()).toEqual({
    interval: '1h',
    since: new Date(at(-3) * 1_000).toISOString(),
    candles: [
      {
        ...{ time: new Date(at(-3) * 1_000).toISOString(), source: 'trades', trades: 3 },
        ...{ open: expect.closeTo(2_000, 6), high: expect.closeTo(2_100, 6) },
        ...{ low: expect.closeTo(1_900, 6), close: expect.closeTo(2_050, 6) },
        ...{ baseVolume: '1000000000000000000', quoteVolume: '2050000000' },
      },
    ],
  })
  expect(asked).toEqual([{ interval: hour, since: at(-3), base: [weth, nativeSentinel], quote: [usdc] }])
})

test('samples fill intervals without trades, marked, where both tokens have one at the same time', async () => {
  const samples = [
    ...[sample(weth, at(-3) + 300, 9), sample(usdc, at(-3) + 300, 1)],
    ...[sample(weth, at(-2), 2_000), sample(weth, at(-2) + 300, 2_200), sample(weth, at(-2) + 600, 2_100)],
    ...[sample(usdc, at(-2), 1), sample(usdc, at(-2) + 300, 1), sample(usdc, at(-2) + 600, 0.5)],
    sample(weth, at(-1), 1_000),
  ]
  const { response } = await get('?count=4', undefined, samples)
  const { candles } = (await response.json()) as { candles: object[] }
  expect(candles).toMatchObject([
    { source: 'trades' },
    {
      ...{
        time: new Date(at(-2) * 1_000).toISOString(),
        source: 'samples',
        trades: 0,
        baseVolume: '0',
        quoteVolume: '0',
      },
      ...{ open: 2_000, high: 4_200, low: 2_000, close: 4_200 },
    },
  ])
  expect(candles).toHaveLength(2)
})

test('the native token and its wrapped form are one market', async () => {
  const { asked } = await get('?interval=1d&count=90', `${usdc}--`)
  expect(asked).toMatchObject([{ base: [usdc], quote: [weth, nativeSentinel], interval: 86_400 }])
})

test.each(['interval=2h', 'count=0', 'count=x', 'interval=1d&count=91', 'interval=5m&count=289', 'count=337'])(
  '%s is refused',
  async (query) => {
    const { response, asked } = await get(`?${query}`)
    expect([response.status, asked]).toEqual([400, []])
  },
)

test('a token without known decimals has no candles', async () => {
  expect((await get('', `${weth}-0x${'0d'.repeat(20)}`)).response.status).toBe(404)
})
