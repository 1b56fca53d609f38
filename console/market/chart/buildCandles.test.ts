import { expect, test } from 'vitest'
import { buildCandles, computeChange } from './buildCandles.ts'
import { buildScale } from './buildScale.ts'

const minute = 60_000
const start = Date.UTC(2026, 0, 1)
const at = (minutes: number, price: number | null, baseVolume = '0') => ({
  time: new Date(start + minutes * minute).toISOString(),
  open: price,
  high: price,
  low: price,
  close: price,
  baseVolume,
})

test('a candle has the prices of its intervals and begins at the price before it', () => {
  const { candles, bars } = buildCandles(
    [at(0, 100, '5'), at(5, 104), at(10, 98, '2'), at(15, 101), at(40, 90), at(45, null, '7')],
    { intervalMs: 5 * minute, group: 2 },
  )
  expect(candles).toEqual([
    { time: start, open: 100, high: 104, low: 100, close: 104, volume: 5 },
    { time: start + 10 * minute, open: 104, high: 104, low: 98, close: 101, volume: 2 },
    // after a gap
    { time: start + 40 * minute, open: 90, high: 90, low: 90, close: 90, volume: 7 },
  ])
  expect(bars.map(({ volume }) => volume)).toEqual([5, 2, 7])
  expect(computeChange(candles)).toBeCloseTo(-0.1)
  expect(computeChange([])).toBeUndefined()
  expect(computeChange(candles.slice(2))).toBeUndefined()
})

test('the scale has all candles, near levels and round ticks', () => {
  const { candles } = buildCandles([at(0, 3_000), at(5, 3_030)], { intervalMs: 5 * minute, group: 1 })
  const scale = buildScale(candles, [3_060, 9_000])
  expect(scale.toY(3_060)).toBeGreaterThan(0)
  expect(scale.toY(3_000)).toBeLessThan(100)
  expect(scale.toY(3_060)).toBeLessThan(scale.toY(3_030))
  // far levels stay at the edge
  expect(scale.toY(9_000)).toBe(0)
  expect(scale.ticks).toEqual([3_000, 3_020, 3_040, 3_060])
  expect(scale.toPrice(scale.toY(3_030))).toBeCloseTo(3_030)
})

test('a constant price is in the middle', () => {
  const { candles } = buildCandles([at(0, 5), at(5, 5)], { intervalMs: 5 * minute, group: 1 })
  expect(buildScale(candles, []).toY(5)).toBeCloseTo(50)
})
