import { expect, test } from 'vitest'
import { computeNextAttempt } from './computeNextAttempt.ts'

const createdAt = new Date('2026-11-01T00:00:00Z')
const hourMs = 3_600_000
const later = (ms: number) => new Date(createdAt.getTime() + ms)

test.each([
  ['after the first failure', 1, 0, 0, undefined, 2_500],
  ['after the first failure, at most', 1, 0, 1, undefined, 5_000],
  ['twice as long each time', 4, 0, 1, undefined, 40_000],
  ['an hour at most', 40, 0, 1, undefined, hourMs],
  ['by Retry-After', 1, 0, 0, 90_000, 90_000],
  ['by the backoff when Retry-After is shorter', 10, 0, 0, 1_000, 1_280_000],
  ['by Retry-After, an hour at most', 1, 0, 0, 7 * hourMs, hourMs],
  ['up to a day', 40, 23 * hourMs, 1, undefined, 24 * hourMs],
  ['never after that', 40, 23 * hourMs + 1, 1, undefined, null],
])('%s', (_name, attempt, nowMs, random, retryAfterMs, expectedMs) => {
  const next = computeNextAttempt({ attempt, createdAt, retryAfterMs }, later(nowMs), random)
  expect(next).toEqual(expectedMs === null ? null : later(expectedMs))
})
