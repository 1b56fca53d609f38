import { expect, test } from 'vitest'
import { nativeSentinel } from '../../tokens/nativeSentinel.ts'
import { readPriceRange } from './priceRanges.ts'
import { toMarket } from './toMarket.ts'
import { computePriceChange, toPriceSeries } from './toPriceSeries.ts'

const [low, high] = ['0x0a', '0x0b']

test('both directions of a pair are one market', () => {
  const market = { first: low, second: high }
  expect([toMarket(low, high, '0x'), toMarket(high, low, '0x')]).toEqual([market, market])
})

test('the native token is its wrapped form', () => {
  expect(toMarket(nativeSentinel, low, high)).toEqual({ first: low, second: high })
  expect(toMarket(nativeSentinel, high, high)).toBeNull()
})

test('a series has the closing prices in the displayed direction', () => {
  const candles = [
    { time: '2026-01-01T00:00:00Z', close: 2_000 },
    { time: '2026-01-01T00:05:00Z', close: 0 },
    { time: '2026-01-01T00:10:00Z', close: 2_500 },
  ]
  const [from, to] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 0, 10)]
  expect(toPriceSeries(candles, false)).toEqual([
    { time: from, price: 2_000 },
    { time: to, price: 2_500 },
  ])
  expect(toPriceSeries(candles, true)).toEqual([
    { time: from, price: 0.0005 },
    { time: to, price: 0.0004 },
  ])
})

test('the change is the share between the first and the last price', () => {
  const points = [100, 300, 110].map((price, time) => ({ time, price }))
  expect(computePriceChange(points)).toBeCloseTo(0.1)
  expect(computePriceChange(points.slice(0, 1))).toBeUndefined()
  expect(computePriceChange([])).toBeUndefined()
})

test('an unknown range is the default', () => {
  expect(['1W', '2W', 'toString', undefined].map(readPriceRange)).toEqual(['1W', '1D', '1D', '1D'])
})
