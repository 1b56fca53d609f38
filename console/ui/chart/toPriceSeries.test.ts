import { expect, test } from 'vitest'
import { computePriceChange, toPriceSeries } from './toPriceSeries.ts'

test('a series has the opening prices and the newest closing price in the displayed direction', () => {
  const candles = [
    { time: '2026-01-01T00:00:00Z', open: 2_000, close: 2_200 },
    { time: '2026-01-01T00:05:00Z', open: null, close: null },
    { time: '2026-01-01T00:10:00Z', open: 2_500, close: 4_000 },
  ]
  const [from, to, end] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1, 0, 10), Date.UTC(2026, 0, 1, 0, 12)]
  expect(toPriceSeries(candles, false, () => end)).toEqual([
    { time: from, price: 2_000 },
    { time: to, price: 2_500 },
    { time: end, price: 4_000 },
  ])
  expect(toPriceSeries(candles, true, () => end)).toEqual([
    { time: from, price: 0.0005 },
    { time: to, price: 0.0004 },
    { time: end, price: 0.00025 },
  ])
})

test('a single candle has a change, and none without samples', () => {
  const day = { time: '2026-01-01T00:00:00Z', open: 2_000, close: 2_200 }
  expect(computePriceChange(toPriceSeries([day], false, (time) => time + 1))).toBeCloseTo(0.1)
  expect(toPriceSeries([{ ...day, open: null, close: null }], false, (time) => time)).toEqual([])
})

test('the change is the share between the first and the last price', () => {
  const points = [100, 300, 110].map((price, time) => ({ time, price }))
  expect(computePriceChange(points)).toBeCloseTo(0.1)
  expect(computePriceChange(points.slice(0, 1))).toBeUndefined()
  expect(computePriceChange([])).toBeUndefined()
})
