import { expect, test } from 'vitest'
import { toRational } from '#shared/amounts/rational.ts'
import { computeNetValue } from './computeNetValue.ts'

const price = toRational(0.5)

test('a sell is worth what it buys less the gas', () => {
  const estimate = { sellAmount: 7n, buyAmount: 1_000n, gas: 20n }
  // 1000 · 1/2 − 20 · 3 = 440 wei, in units of 1/2 wei
  expect(computeNetValue('sell', estimate, price, 3n)).toBe(880n)
  expect(computeNetValue('sell', { ...estimate, gas: 400n }, price, 3n)).toBeLessThan(0n)
})

test('a buy is worth the more the less it sells and burns', () => {
  const estimate = { sellAmount: 1_000n, buyAmount: 7n, gas: 20n }
  expect(computeNetValue('buy', estimate, price, 3n)).toBe(-1_120n)
  expect(computeNetValue('buy', { ...estimate, sellAmount: 999n }, price, 3n)).toBe(-1_119n)
  expect(computeNetValue('buy', { ...estimate, gas: 21n }, price, 3n)).toBe(-1_126n)
})

test('amounts beyond the precision of a double still differ', () => {
  const estimate = { sellAmount: 1n, buyAmount: 10n ** 40n, gas: 1n }
  const better = { ...estimate, buyAmount: 10n ** 40n + 1n }
  const priced = toRational(1e-22)
  expect(computeNetValue('sell', better, priced, 1n)).toBeGreaterThan(computeNetValue('sell', estimate, priced, 1n))
})
