import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeSignedFee } from './computeSignedFee.ts'
import { removeSignedFee } from './removeSignedFee.ts'
import { maxUint256 } from './uint256.ts'

const order = { kind: 'sell', sellAmount: 900n, buyAmount: 70n, feeAmount: 100n } as const

describe('computeSignedFee', () => {
  test.each([
    ['all of a sell order', order, 900n, 100n],
    ['a part of a sell order, rounded down', order, 305n, 33n],
    ['all of a buy order', { ...order, kind: 'buy' as const }, 70n, 100n],
    ['a part of a buy order, rounded down', { ...order, kind: 'buy' as const }, 23n, 32n],
    ['an order without a fee, even of nothing', { ...order, sellAmount: 0n, feeAmount: 0n }, 5n, 0n],
  ])('prorates the fee for %s', (_, terms, executed, fee) => {
    expect(computeSignedFee(terms, executed)).toBe(fee)
  })

  test('rejects a fee on an order of nothing', () => {
    expect(() => computeSignedFee({ ...order, sellAmount: 0n }, 1n)).toThrow(RangeError)
  })
})

describe('removeSignedFee', () => {
  const amount = fc.bigInt({ min: 1n, max: maxUint256 })
  test('returns the traded amount of any fill', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sell' as const, 'buy' as const),
        amount,
        amount,
        fc.bigInt(0n, maxUint256),
        amount,
        amount,
        (kind, sellAmount, buyAmount, feeAmount, a, b) => {
          const terms = { kind, sellAmount, buyAmount, feeAmount }
          const executedBuy = (b % buyAmount) + 1n
          const traded = (a % sellAmount) + 1n
          const fee = computeSignedFee(terms, kind === 'sell' ? traded : executedBuy)
          expect(removeSignedFee(terms, { executedSell: traded + fee, executedBuy })).toBe(traded)
        },
      ),
    )
  })

  test('returns an amount below zero for a buy order that pays less than its fee', () => {
    expect(removeSignedFee({ ...order, kind: 'buy' }, { executedSell: 99n, executedBuy: 70n })).toBe(-1n)
  })
})
