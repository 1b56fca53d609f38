import { expect, test } from 'vitest'
import { buildLine } from './buildLine.ts'
import { findNearest } from './findNearest.ts'

const points = [
  { time: 1_000, price: 100 },
  { time: 2_000, price: 200 },
  { time: 5_000, price: 150 },
]

test('the line has times and prices in proportion, with a margin', () => {
  const { toPlace, line, area, low, high } = buildLine(points)
  expect(points.map(toPlace)).toEqual([
    { x: 0, y: 90.32 },
    { x: 25, y: 9.68 },
    { x: 100, y: 50 },
  ])
  expect(line).toBe('M0 90.32L25 9.68L100 50')
  expect(area).toBe('M0 90.32L25 9.68L100 50L100 100L0 100Z')
  expect([low, high]).toEqual([100, 200])
})

test('a level outside the prices stays within the box', () => {
  const { levelAt = -1, high } = buildLine(points, { level: 400 })
  expect(levelAt).toBeGreaterThan(0)
  expect(levelAt).toBeLessThan(15)
  expect(high).toBe(200)
})

test('a constant price is in the middle', () => {
  expect(buildLine([points[0], { time: 3_000, price: 100 }].flatMap((point) => point ?? [])).line).toBe('M0 50L100 50')
})

test('a change of less than a percent does not fill the height', () => {
  const from = { time: 0, price: 1_000 }
  const to = { time: 1, price: 999 }
  const { toPlace } = buildLine([from, to])
  expect(toPlace(to).y - toPlace(from).y).toBeCloseTo(8.06)
})

test('points across a gap are not joined, and a single one is a dot', () => {
  const { line, area } = buildLine(points, { gapMs: 1_000 })
  expect(line).toBe('M0 90.32L25 9.68M100 50h0')
  expect(area).toBe('M0 90.32L25 9.68L25 100L0 100Z')
})

test('finds the nearest point of a time', () => {
  expect([0, 0.2, 0.5, 0.9, 1.4].map((share) => findNearest(points, share))).toEqual([0, 1, 1, 2, 2])
})
