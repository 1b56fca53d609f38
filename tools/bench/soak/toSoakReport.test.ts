import { expect, test } from 'vitest'
import { computeGrowth, fitLine } from './findTrends.ts'
import type { SoakInterval } from './soakInterval.ts'
import { computeCapacity } from './soakKinds.ts'
import { toSoakReport } from './toSoakReport.ts'

const interval = (
  at: number,
  changes: { memory?: number; heap?: number; outside?: number; p99?: number; statuses?: Record<string, number> } = {},
): SoakInterval => {
  const { memory = 100, heap = 40, outside = 50, p99 = 60, statuses = { 200: 600, 304: 5 } } = changes
  const reads = { sent: 605, requestsPerSecond: 10, p50: 5, p99, statuses, errors: 0 }
  return {
    at,
    kinds: { reads },
    streams: { open: 1, events: 3, ended: 0, refused: 0 },
    memory: {
      api: {
        resident: memory * 2 ** 20,
        collected: { heaps: { orders: heap * 2 ** 19, quotes: heap * 2 ** 19 }, outside: outside * 2 ** 20 },
      },
    },
  }
}
const minutes = Array.from({ length: 9 }, (_, index) => index + 1)

test('fits a line through points and returns its rise', () => {
  expect(
    fitLine([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toEqual({ slope: 2, start: 1 })
  expect(
    computeGrowth([
      [0, 100],
      [1, 110],
      [2, 120],
    ]),
  ).toBeCloseTo(0.2)
  expect(computeGrowth([])).toBe(0)
})

test('limits the capacity of a mix by its slowest kinds', () => {
  expect(
    computeCapacity([
      { share: 0.5, requestsPerSecond: 1_000 },
      { share: 0.5, requestsPerSecond: 100 },
    ]),
  ).toBeCloseTo(181.8, 1)
})

test('accepts a soak whose memory settles after warm-up', () => {
  const memory = (minute: number) => (minute < 4 ? 50 * minute : 200 + (minute % 2))
  expect(
    toSoakReport(
      'soak',
      minutes.map((minute) => interval(minute * 60, { memory: memory(minute) })),
    ).over,
  ).toEqual([])
})

test.each<[string, (minute: number) => Parameters<typeof interval>[1], string]>([
  ['memory that grows', (minute: number) => ({ memory: 100 + 10 * minute }), 'memory of api: 36 %'],
  ['a heap that grows', (minute: number) => ({ heap: 40 + minute }), 'heaps of api: 11 %'],
  ['a native leak', (minute: number) => ({ outside: 50 + minute }), 'memory outside the heaps of api: 9 %'],
  ['a p99 that grows', (minute: number) => ({ p99: 60 * minute }), 'p99 of reads: 125 %'],
  ['an answer 503', (minute: number) => ({ statuses: { 200: 1, 503: minute === 5 ? 2 : 0 } }), 'reads: 503, 2 times'],
])('rejects a soak with %s', (_, changes, over) => {
  expect(
    toSoakReport(
      'soak',
      minutes.map((minute) => interval(minute * 60, changes(minute))),
    ).over,
  ).toEqual([over])
})
