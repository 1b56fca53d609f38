import { expect, test } from 'vitest'
import { formatFilled } from './formatFilled.ts'

test.each([
  [0n, 3n, '0 %'],
  [1_657n, 10_000n, '16.6 %'],
  [1n, 3n, '33.3 %'],
  [1n, 10n ** 18n, 'less than 0.1 %'],
  [10n ** 18n - 1n, 10n ** 18n, 'more than 99.9 %'],
  [5n, 5n, '100 %'],
  [6n, 5n, '100 %'],
  [0n, 0n, '0 %'],
])('%s of %s is %s', (filled, of, text) => {
  expect(formatFilled(filled, of)).toBe(text)
})
