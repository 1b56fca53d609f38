import { expect, test } from 'vitest'
import { type LatencyOutcome, toLatencyReport } from './latencyFigures.ts'

const range = (count: number, scale: number) => Array.from({ length: count }, (_, i) => (i + 1) * scale)
const none = { count: 0, p50Ms: null, p95Ms: null }
const well: LatencyOutcome = {
  quotes: { acceptedMs: range(100, 1), refused: 0, others: 0 },
  submissions: { acceptedMs: range(20, 2), refused: 0, others: 0 },
  fillMs: range(20, 100),
  service: { quotes: { count: 3, p50Ms: 7, p95Ms: 9 }, submissions: none, timeToFill: none },
  crowd: { acceptedMs: range(100, 10), refused: 1_500, others: 0 },
}

test('a row has the p50 and p95 of every chain, and only budgets have a verdict', () => {
  const { table, over } = toLatencyReport([
    ['kind chain', well],
    ['harsh chain', { ...well, fillMs: range(40, 100) }],
  ])
  expect(table.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
    'latency, ms p50 / p95',
    'kind chain | harsh chain | verdict',
    'quote | 50 / 95 | 50 / 95',
    'quotes that were requested again | 0 | 0',
    'submission | 20 / 38 | 20 / 38',
    'time to fill | 1,000 / 1,900 | 2,000 / 3,800',
    'filled orders | 20 of 20 | 40 of 40 | ok',
    'quote, by the status | 7 / 9 | 7 / 9',
    'submission, by the status | – / – | – / –',
    'time to fill, by the status | – / – | – / –',
    'quote of 100 clients at once | 500 / 950 | 500 / 950 | ok',
    'of them refused with 503 | 1,500 of 1,600 | 1,500 of 1,600',
    'of them with another status | 0 | 0 | ok',
  ])
  expect(over).toEqual([])
})

test.each<[string, Partial<LatencyOutcome>, string]>([
  ['an order that is not filled', { fillMs: [100, null] }, 'filled orders'],
  [
    'a crowd that waits for more than a second',
    { crowd: { acceptedMs: range(100, 11), refused: 0, others: 0 } },
    'quote of 100 clients at once',
  ],
  ['another error than 503', { crowd: { acceptedMs: [1], refused: 0, others: 1 } }, 'of them with another status'],
  ['a crowd without a quote', { crowd: { acceptedMs: [], refused: 9, others: 0 } }, 'of them with another status'],
])('%s is over budget', (_, changes, row) => {
  expect(
    toLatencyReport([
      ['kind chain', well],
      ['harsh chain', { ...well, ...changes }],
    ]).over,
  ).toEqual([`latency on harsh chain: ${row}`])
})
