import { describe, expect, test } from 'vitest'
import { computeRetryDelay } from './computeRetryDelay.ts'

describe('computeRetryDelay', () => {
  test('doubles with each failure, up to a minute', () => {
    const delays = [0, 1, 2, 3, 4, 2_000].map((failures) => computeRetryDelay(5_000, failures))
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000])
  })

  test('waits at least as long as the API says', () => {
    expect(computeRetryDelay(5_000, 1, 30_000)).toBe(30_000)
    expect(computeRetryDelay(5_000, 3, 30_000)).toBe(40_000)
    expect(computeRetryDelay(5_000, 1, 600_000)).toBe(600_000)
  })

  test('never retries sooner than the regular interval', () => {
    expect(computeRetryDelay(120_000, 2)).toBe(120_000)
  })
})
