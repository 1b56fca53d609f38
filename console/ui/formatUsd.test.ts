import { expect, test } from 'vitest'
import { formatUsd } from './formatUsd.ts'

test.each([
  [1_500_000n, 6, 1, '$1.50'],
  [10n ** 18n, 18, 2954.123, '$2,954.12'],
  [1_234n, 6, 1, '$0.0012'],
  [0n, 6, 1, '$0.00'],
])('formats the value of %s atoms of %i decimals at %d', (atoms, decimals, price, text) => {
  expect(formatUsd(atoms, decimals, price)).toBe(text)
})
