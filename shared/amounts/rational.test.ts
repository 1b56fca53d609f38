import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toRational } from './rational.ts'

const positiveDouble = fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true })

describe('toRational', () => {
  test.each([
    [1, 1n, 1n],
    [0.75, 3n, 4n],
    [0.1, 3602879701896397n, 2n ** 55n],
    [1e18, 10n ** 18n, 1n],
    [2 ** 53 - 1, 2n ** 53n - 1n, 1n],
    [Number.MIN_VALUE, 1n, 2n ** 1074n],
    [2 ** -1022 - Number.MIN_VALUE, 2n ** 52n - 1n, 2n ** 1074n],
    [2 ** -1022, 1n, 2n ** 1022n],
    [Number.MAX_VALUE, (2n ** 53n - 1n) * 2n ** 971n, 1n],
  ])('%d', (value, numerator, denominator) => {
    expect(toRational(value)).toEqual({ numerator, denominator })
  })

  test('is lossless: the fraction equals the double', () => {
    fc.assert(
      fc.property(positiveDouble, (value) => {
        const { numerator, denominator } = toRational(value)
        // both sides of this division by a power of two are exact, unless a side alone exceeds the range of doubles
        const exponent = denominator.toString(2).length - 1
        const half = Math.floor(exponent / 2)
        expect(Number(numerator) * 2 ** -half * 2 ** -(exponent - half)).toBe(value)
      }),
    )
  })

  test('is in lowest terms with a power of two below', () => {
    fc.assert(
      fc.property(positiveDouble, (value) => {
        const { numerator, denominator } = toRational(value)
        expect(denominator & (denominator - 1n)).toBe(0n)
        expect(denominator === 1n || (numerator & 1n) === 1n).toBe(true)
      }),
    )
  })

  test.each([0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('rejects %d', (value) => {
    expect(() => toRational(value)).toThrow(RangeError)
  })
})
