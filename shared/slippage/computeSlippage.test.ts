import { expect, test } from 'vitest'
import { computePriceRoom, computeSlippage, type SlippageBasis, type TokenMarket } from './computeSlippage.ts'

const unbounded = { minBps: 0, maxBps: Number.MAX_SAFE_INTEGER, defaultBps: 50 }
const start = Date.UTC(2024, 0, 1) / 1000

const market = (prices: number[], price: number | undefined, step = 300, from = start): TokenMarket => ({
  series: prices.map((value, i) => ({ time: from + i * step, price: value })),
  price,
})

const ones = [1, 1, 1, 1]
const rising = [100, 110, 120, 130]

// base, quote → bps
test.each<[string, TokenMarket, TokenMarket, number, SlippageBasis]>([
  ['a stable base', market(ones, 1), market(rising, 10), 87, 'pair'],
  ['the same pair turned round', market(rising, 10), market(ones, 1), 11_181, 'pair'],
  ['another price of today', market(rising, 1), market(ones, 10), 1_118_034, 'pair'],
  ['no common moment', market([1, 1, 1, 1], 1), market([1, 2, 2, 3], 10, 300, start + 3_600), 708, 'tokens'],
  ['small moves', market([100, 100.02, 100.04, 100.06], 1), market(ones, 10), 2_237, 'pair'],
  ['no moves', market([5, 5, 5], 5), market(ones, 1), 0, 'pair'],
  ['smallest moves', market([100.0001, 100.0002, 100.0003, 100.0004], 1), market(ones, 10), 12, 'pair'],
  ['prices of today as those of the series', market([100, 100.01, 100.02, 100.03], 100), market(ones, 1), 2, 'pair'],
  ['a dearer base', market([100, 100.01, 100.02, 100.03], 1.1), market(ones, 100), 10_164, 'pair'],
  ['a cheaper base', market([100, 100.01, 100.02, 100.03], 0.9), market(ones, 100), 12_423, 'pair'],
  ['no series at all', market([], 1), market([], 1), 50, 'unknown'],
  ['one series', market(rising, 1), market([], 1), 50, 'unknown'],
  ['one price', market(rising, 1), market(rising, undefined), 50, 'unknown'],
  ['a price of zero', market(rising, 0), market(rising, 1), 50, 'unknown'],
  ['prices beyond all measure', market([1e300, 2e300], 2e300), market([1e-300, 1e-300], 1e-300), 50, 'unknown'],
  ['prices below all measure', market([1e-200, 1e-200], 1e-200), market([1e200, 1e200], 1e200), 0, 'tokens'],
  ['one point each, which says nothing about moves', market([1], 1), market([2], 2), 50, 'unknown'],
])('%s', (_, base, quote, slippageBps, basis) => {
  expect(computeSlippage(base, quote, unbounded)).toEqual({ slippageBps, basis })
})

test('stays within its bounds', () => {
  const bounds = { minBps: 10, maxBps: 500, defaultBps: 50 }
  expect(computeSlippage(market(ones, 1), market(ones, 1), bounds).slippageBps).toBe(10)
  expect(computeSlippage(market(rising, 1), market(ones, 10), bounds).slippageBps).toBe(500)
})

test('a pair and its reverse move alike when prices do', () => {
  const base = market([100, 101, 100, 99], 100)
  const quote = market([10, 10.02, 9.99, 10], 10)
  const there = computeSlippage(base, quote, unbounded).slippageBps
  expect(Math.abs(there - computeSlippage(quote, base, unbounded).slippageBps)).toBeLessThanOrEqual(1)
})

const bounds = { minBps: 5, maxBps: 2_000, defaultBps: 50 }
/** Prices of `count` steps that go up and down by a share. */
const swinging = (count: number, share: number) => Array.from({ length: count }, (_, i) => 100 * (1 + (i % 2) * share))

test.each<[string, TokenMarket, TokenMarket, number, SlippageBasis]>([
  ['an hour of calm prices lowers the default', market(swinging(12, 0), 100), market(Array(12).fill(1), 1), 5, 'pair'],
  ['is two deviations of the pair', market(swinging(12, 0.00195), 100), market(Array(12).fill(1), 1), 20, 'pair'],
  ['less than an hour lowers nothing', market(swinging(11, 0.002), 100), market(Array(11).fill(1), 1), 50, 'pair'],
  ['less than an hour may raise it', market(swinging(4, 0.02), 100), market(Array(4).fill(1), 1), 200, 'pair'],
  ['is bounded', market(swinging(12, 0.9), 100), market(Array(12).fill(1), 1), 2_000, 'pair'],
  ['is the default of an unknown pair', market([], undefined), market(Array(12).fill(1), 1), 50, 'unknown'],
])('room for the price: %s', (_, base, quote, priceBps, basis) => {
  expect(computePriceRoom(base, quote, bounds)).toEqual({ priceBps, basis })
})
