import { expect, test } from 'vitest'
import { isOutsideMarket } from './isOutsideMarket.ts'

const quote = { sellAmount: 1000n, buyAmount: 3000n, feeAmount: 10n }
const huge = 2n ** 256n - 1n

// sell: 3000 − ⌊10 · 3000 / 1000⌋ = 2970 for 1000; buy: 1010 for 3000
test.each([
  ['sell', 1000n, 2970n, false],
  ['sell', 1000n, 2971n, true],
  ['sell', 999n, 2970n, true],
  ['buy', 1010n, 3000n, false],
  ['buy', 1009n, 3000n, true],
  ['buy', 1010n, 3001n, true],
] as const)('%s %s for %s: outside %s', (kind, sellAmount, buyAmount, expected) => {
  expect(isOutsideMarket({ kind, sellAmount, buyAmount }, quote)).toBe(expected)
})

test('what the fee buys is rounded down', () => {
  const order = { kind: 'sell', sellAmount: 3n } as const
  const odd = { sellAmount: 3n, buyAmount: 4n, feeAmount: 1n }
  expect(isOutsideMarket({ ...order, buyAmount: 3n }, odd)).toBe(false)
  expect(isOutsideMarket({ ...order, buyAmount: 4n }, odd)).toBe(true)
})

test('a sale that only pays the fee is outside', () => {
  const order = { kind: 'sell', sellAmount: 10n, buyAmount: 0n } as const
  expect(isOutsideMarket(order, { ...quote, sellAmount: 10n })).toBe(true)
})

test('amounts of 256 bits are compared exactly', () => {
  const free = { sellAmount: huge, buyAmount: huge, feeAmount: 0n }
  expect(isOutsideMarket({ kind: 'sell', sellAmount: huge, buyAmount: huge }, free)).toBe(false)
  expect(isOutsideMarket({ kind: 'sell', sellAmount: huge - 1n, buyAmount: huge }, free)).toBe(true)
  expect(isOutsideMarket({ kind: 'buy', sellAmount: huge - 1n, buyAmount: huge }, free)).toBe(true)
})
