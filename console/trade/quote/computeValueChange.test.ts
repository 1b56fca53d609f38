import { expect, test } from 'vitest'
import { computeValueChange, describeValueChange } from './computeValueChange.ts'

const amounts = { sellAmount: 10n ** 18n, buyAmount: 2_850_000_000n }

test('compares the received value with the paid one, where both prices are known', () => {
  expect(computeValueChange(amounts, { decimals: 18, usd: 3_000 }, { decimals: 6, usd: 1 })).toBeCloseTo(-0.05, 10)
  expect(computeValueChange(amounts, { decimals: 18, usd: undefined }, { decimals: 6, usd: 1 })).toBeUndefined()
})

test('describes a change of value in words', () => {
  expect(describeValueChange(-0.0963)).toBe('about 9.6 % less')
  expect(describeValueChange(-0.25)).toBe('about 25 % less')
  expect(describeValueChange(0.01)).toBe('about 1.0 % more')
  expect(describeValueChange(-0.0001)).toBe('about the same')
})
