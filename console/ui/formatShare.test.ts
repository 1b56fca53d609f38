import { expect, it } from 'vitest'
import { formatShare } from './formatShare.ts'

it.each([
  [1n, 3n, '33.3 %'],
  [492n, 100_000n, '0.492 %'],
  [-15n, 100n, '−15 %'],
  [1n, 10n ** 30n, 'less than 0.001 %'],
  [-1n, 10n ** 30n, 'less than 0.001 %'],
  [0n, 5n, '0 %'],
  [10n ** 30n, 10n ** 30n, '100 %'],
  [25n, 1n, '2,500 %'],
  [1n, 0n, undefined],
])('%s of %s is %s', (part, whole, text) => {
  expect(formatShare(part, whole)).toBe(text)
})
