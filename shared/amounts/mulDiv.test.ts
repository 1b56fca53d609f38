import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mulDivCeil, mulDivFloor } from './mulDiv.ts'
import { maxUint256 } from './uint256.ts'

const amount = fc.bigInt(0n, maxUint256)
const positive = fc.bigInt(1n, maxUint256)

describe('mulDivFloor', () => {
  test('is the largest integer whose product with the divisor does not exceed a · b', () => {
    fc.assert(
      fc.property(amount, amount, positive, (a, b, divisor) => {
        const result = mulDivFloor(a, b, divisor)
        expect(result * divisor <= a * b && a * b < (result + 1n) * divisor).toBe(true)
      }),
    )
  })

  test('has no intermediate limit', () => {
    expect(mulDivFloor(maxUint256, maxUint256, maxUint256)).toBe(maxUint256)
    expect(mulDivFloor(maxUint256, 1n, 2n)).toBe(2n ** 255n - 1n)
  })
})

describe('mulDivCeil', () => {
  test('is the smallest integer whose product with the divisor reaches a · b', () => {
    fc.assert(
      fc.property(amount, amount, positive, (a, b, divisor) => {
        const result = mulDivCeil(a, b, divisor)
        expect((result - 1n) * divisor < a * b && a * b <= result * divisor).toBe(true)
      }),
    )
  })

  test('does not round up exact quotients, zero included', () => {
    expect(mulDivCeil(6n, 2n, 4n)).toBe(3n)
    expect(mulDivCeil(0n, 5n, 7n)).toBe(0n)
    expect(mulDivCeil(maxUint256, 1n, 2n)).toBe(2n ** 255n)
  })
})

test.each([mulDivFloor, mulDivCeil])('%o rejects a zero divisor and negative arguments', (mulDiv) => {
  expect(() => mulDiv(1n, 1n, 0n)).toThrow(RangeError)
  expect(() => mulDiv(0n, 0n, 0n)).toThrow(RangeError)
  expect(() => mulDiv(-1n, 1n, 1n)).toThrow(RangeError)
  expect(() => mulDiv(1n, -1n, 1n)).toThrow(RangeError)
  expect(() => mulDiv(1n, 1n, -1n)).toThrow(RangeError)
})
