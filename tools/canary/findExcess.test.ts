import { expect, test } from 'vitest'
import { findExcess } from './findExcess.ts'

const limits = { quoteMs: 3_000, placementMs: 1_000, fillMs: 120_000 }
const times = { orderUid: null, quoteMs: 3_000, placementMs: 1_000, fillMs: 120_000, error: null }

test.each([
  [times, null],
  [{ ...times, quoteMs: 3_001, fillMs: 120_001 }, 'quoteMs is 3001, 3000 allowed'],
  [{ ...times, placementMs: 1_500 }, 'placementMs is 1500, 1000 allowed'],
  [{ ...times, fillMs: 120_001 }, 'fillMs is 120001, 120000 allowed'],
  [{ ...times, placementMs: null, fillMs: null }, null],
])('%o: %s', (measured, expected) => {
  expect(findExcess(measured, limits)).toBe(expected)
})
