import { expect, test } from 'vitest'
import { buildTimeAxis } from './buildTimeAxis.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2026, 0, 10)
const isoTicks = (from: number, to: number, offset = 0) =>
  buildTimeAxis(from, to, offset).ticks.map(({ time }) => new Date(time).toISOString().slice(5, 16))

test('ticks of a day are round times', () => {
  expect(isoTicks(start + hour, start + 24 * hour)).toEqual(['01-10T06:00', '01-10T12:00', '01-10T18:00'])
  expect(buildTimeAxis(start, start + day, 0).hasDates).toBe(false)
})

test('ticks of five minutes are minutes', () => {
  expect(isoTicks(start, start + hour / 12)).toEqual(['01-10T00:01', '01-10T00:02', '01-10T00:03', '01-10T00:04'])
})

test('ticks of an hour are quarters', () => {
  expect(isoTicks(start, start + hour)).toEqual(['01-10T00:15', '01-10T00:30', '01-10T00:45'])
})

test('a span over a day has dates, at local midnights', () => {
  expect(buildTimeAxis(start, start + day + 1, 0).hasDates).toBe(true)
  expect(isoTicks(start - 2 * hour, start + 2 * day + 6 * hour)).toEqual(['01-11T00:00', '01-12T00:00'])
  expect(isoTicks(start, start + 2 * day + hour, 2 * hour)).toEqual(['01-10T22:00', '01-11T22:00'])
})

test('places are percent of the span', () => {
  expect(buildTimeAxis(start, start + 4 * hour, 0).ticks.map(({ x }) => x)).toEqual([25, 50, 75])
})

test('one point has no ticks', () => {
  expect(buildTimeAxis(start, start, 0).ticks).toEqual([])
})

test.each([1, 7, 30, 90, 365])('a span of %s days has at most five ticks', (days) => {
  const { ticks } = buildTimeAxis(start, start + days * day, 0)
  expect(ticks.length).toBeGreaterThan(0)
  expect(ticks.length).toBeLessThanOrEqual(5)
})
