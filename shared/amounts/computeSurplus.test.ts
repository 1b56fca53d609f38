import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeSurplus } from './computeSurplus.ts'
import { maxUint256 } from './uint256.ts'

const amount = fc.oneof(fc.bigInt(0n, 1000n), fc.bigInt(0n, 10n ** 30n))
const positive = fc.oneof(fc.bigInt(1n, 1000n), fc.bigInt(1n, 10n ** 30n))
const executedOrder = (kind: 'sell' | 'buy') =>
  fc.record({
    kind: fc.constant(kind),
    limitSell: positive,
    limitBuy: positive,
    executedSell: amount,
    executedBuy: amount,
  })

describe('computeSurplus', () => {
  test('returns the gain over the signed amount for a filled order', () => {
    const limit = { limitSell: 1000n, limitBuy: 500n }
    expect(computeSurplus({ kind: 'sell', ...limit, executedSell: 1000n, executedBuy: 510n })).toBe(10n)
    expect(computeSurplus({ kind: 'buy', ...limit, executedSell: 980n, executedBuy: 500n })).toBe(20n)
  })

  test('rounds a partial fill against the order', () => {
    const limit = { limitSell: 3n, limitBuy: 10n }
    // 1 of 3 sold: the limit requires 3.33… bought
    expect(computeSurplus({ kind: 'sell', ...limit, executedSell: 1n, executedBuy: 4n })).toBe(0n)
    expect(computeSurplus({ kind: 'sell', ...limit, executedSell: 1n, executedBuy: 3n })).toBe(-1n)
    // 5 of 10 bought: the limit allows 1.5 sold
    expect(computeSurplus({ kind: 'buy', ...limit, executedSell: 1n, executedBuy: 5n })).toBe(0n)
    expect(computeSurplus({ kind: 'buy', ...limit, executedSell: 2n, executedBuy: 5n })).toBe(-1n)
  })

  test('returns the largest amount that a sell order can lose without violating the limit', () => {
    fc.assert(
      fc.property(executedOrder('sell'), (order) => {
        const keeps = (bought: bigint) => bought * order.limitSell >= order.executedSell * order.limitBuy
        const surplus = computeSurplus(order)
        expect(keeps(order.executedBuy - surplus)).toBe(true)
        expect(keeps(order.executedBuy - surplus - 1n)).toBe(false)
      }),
    )
  })

  test('returns the largest amount that can be added to a buy order without violating the limit', () => {
    fc.assert(
      fc.property(executedOrder('buy'), (order) => {
        const keeps = (sold: bigint) => sold * order.limitBuy <= order.executedBuy * order.limitSell
        const surplus = computeSurplus(order)
        expect(keeps(order.executedSell + surplus)).toBe(true)
        expect(keeps(order.executedSell + surplus + 1n)).toBe(false)
      }),
    )
  })

  test('is negative exactly when the limit is violated', () => {
    fc.assert(
      fc.property(fc.oneof(executedOrder('sell'), executedOrder('buy')), (order) => {
        const violated = order.executedSell * order.limitBuy > order.executedBuy * order.limitSell
        expect(computeSurplus(order) < 0n).toBe(violated)
      }),
    )
  })

  test('accepts extreme amounts', () => {
    const most = { limitSell: maxUint256, limitBuy: maxUint256, executedSell: maxUint256, executedBuy: maxUint256 }
    expect(computeSurplus({ kind: 'sell', ...most })).toBe(0n)
    expect(computeSurplus({ kind: 'buy', ...most })).toBe(0n)
    expect(computeSurplus({ kind: 'sell', ...most, limitBuy: 0n })).toBe(maxUint256)
    expect(computeSurplus({ kind: 'sell', ...most, executedSell: 0n, executedBuy: 0n })).toBe(0n)
    expect(computeSurplus({ kind: 'buy', ...most, executedSell: 0n, executedBuy: 0n })).toBe(0n)
  })

  test('rejects a limit without an exact side, and one that scales beyond uint256', () => {
    const executed = { executedSell: 2n, executedBuy: 2n }
    expect(() => computeSurplus({ kind: 'sell', limitSell: 0n, limitBuy: 1n, ...executed })).toThrow(RangeError)
    expect(() => computeSurplus({ kind: 'buy', limitSell: 1n, limitBuy: 0n, ...executed })).toThrow(RangeError)
    expect(() => computeSurplus({ kind: 'sell', limitSell: 1n, limitBuy: maxUint256, ...executed })).toThrow(RangeError)
    expect(() => computeSurplus({ kind: 'buy', limitSell: maxUint256, limitBuy: 1n, ...executed })).toThrow(RangeError)
  })
})
