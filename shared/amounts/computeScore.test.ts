import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeScore } from './computeScore.ts'
import { maxUint256 } from './uint256.ts'

const wei = 10n ** 18n
const amount = fc.oneof(fc.bigInt(0n, 1000n), fc.bigInt(0n, 10n ** 30n))
const positive = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 10n ** 30n))

describe('computeScore', () => {
  test('values the surplus of a sell order at the price of its buy token, regardless of its limit', () => {
    expect(computeScore({ kind: 'sell', limitSell: 7n, limitBuy: 3n }, 10n, 2n * wei)).toBe(20n)
    expect(computeScore({ kind: 'sell', limitSell: 0n, limitBuy: 0n }, 10n, wei)).toBe(10n)
  })

  test('converts the surplus of a buy order by its limit before valuing it, rounding both times', () => {
    // 10 sell atoms at 2 sold per 3 bought are 15 buy atoms
    expect(computeScore({ kind: 'buy', limitSell: 2n, limitBuy: 3n }, 10n, 2n * wei)).toBe(30n)
    // 1 sell atom is 1.5 buy atoms, of which 1 counts: at 1.5 wei an atom that is 1 wei, not ⌊2.25⌋
    expect(computeScore({ kind: 'buy', limitSell: 2n, limitBuy: 3n }, 1n, (3n * wei) / 2n)).toBe(1n)
  })

  test('returns the integer part of surplus · price for a sell order', () => {
    fc.assert(
      fc.property(amount, amount, (surplus, price) => {
        const score = computeScore({ kind: 'sell', limitSell: 1n, limitBuy: 1n }, surplus, price)
        const rest = surplus * price - score * wei
        expect(rest >= 0n && rest < wei).toBe(true)
      }),
    )
  })

  test('rounds down twice for a buy order', () => {
    fc.assert(
      fc.property(positive, positive, amount, amount, (limitSell, limitBuy, surplus, price) => {
        const score = computeScore({ kind: 'buy', limitSell, limitBuy }, surplus, price)
        const converted = surplus * limitBuy
        const buyAtoms = (converted - (converted % limitSell)) / limitSell
        const rest = buyAtoms * price - score * wei
        expect(rest >= 0n && rest < wei).toBe(true)
      }),
    )
  })

  test('accepts extreme amounts', () => {
    const limit = { limitSell: maxUint256, limitBuy: maxUint256 }
    expect(computeScore({ kind: 'sell', ...limit }, maxUint256, wei)).toBe(maxUint256)
    expect(computeScore({ kind: 'buy', ...limit }, maxUint256, wei)).toBe(maxUint256)
    expect(computeScore({ kind: 'buy', ...limit }, 0n, maxUint256)).toBe(0n)
  })

  test('rejects a negative surplus, a buy order without a limit, and a value beyond uint256', () => {
    const limit = { limitSell: 1n, limitBuy: 1n }
    expect(() => computeScore({ kind: 'sell', ...limit }, -1n, wei)).toThrow(RangeError)
    expect(() => computeScore({ kind: 'buy', ...limit }, -1n, wei)).toThrow(RangeError)
    expect(() => computeScore({ kind: 'buy', limitSell: 0n, limitBuy: 1n }, 1n, wei)).toThrow(RangeError)
    expect(() => computeScore({ kind: 'sell', ...limit }, maxUint256, wei + 1n)).toThrow(RangeError)
    expect(() => computeScore({ kind: 'buy', limitSell: 1n, limitBuy: 2n }, maxUint256, 1n)).toThrow(RangeError)
  })
})
