import { expect, test } from 'vitest'
import { computeNextRun, type RunResult } from './computeNextRun.ts'

const now = 10_000_000

test.each<[RunResult, number, number | undefined]>([
  ['complete', 0, 60],
  ['partial', 0, 0],
  ['failed', 0, 10],
  ['complete', 3_600, 60],
  ['partial', 3_601, undefined],
  ['complete', 3_601, undefined],
  ['failed', 3_601, undefined],
])('%s, last request %i s ago: next run in %j s', (result, agoSeconds, inSeconds) => {
  const expected = inSeconds === undefined ? undefined : now + inSeconds * 1_000
  expect(computeNextRun(result, now - agoSeconds * 1_000, now)).toBe(expected)
})
