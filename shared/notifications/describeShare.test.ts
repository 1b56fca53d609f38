import { expect, test } from 'vitest'
import { describeFilled, describeGainShare } from './describeShare.ts'

test.each([
  [0, 'less than 0.1 %'],
  [5, '0.1 %'],
  [1_654, '16.5 %'],
  [1_655, '16.6 %'],
  [9_994, '99.9 %'],
  [9_995, 'more than 99.9 %'],
  [10_000, '100 %'],
])('%i basis points filled are %s', (bps, text) => {
  expect(describeFilled(bps)).toBe(text)
})

test.each([
  [1n, 3n, ' (33.3 %)'],
  [492n, 100_000n, ' (0.492 %)'],
  [4_999n, 1_000n, ' (499 %)'],
  [1n, 1_000_000n, ''],
  [10n, 1n, ''],
  [1n, 0n, ''],
])('a gain of %i over %i is "%s"', (gain, base, text) => {
  expect(describeGainShare(gain, base)).toBe(text)
})
