import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAuctionPrice } from './toAuctionPrice.ts'

describe('toAuctionPrice', () => {
  test.each([
    [1, 10n ** 18n],
    [0.1, 10n ** 17n],
    [4e8, 400000000000000019058917376n],
    [1e-18, 1n],
    [1.9e-18, 1n],
    [2 ** 196, 2n ** 196n * 10n ** 18n],
  ])('%d wei per atom', (nativePrice, auctionPrice) => {
    expect(toAuctionPrice(nativePrice)).toBe(auctionPrice)
  })

  test.each([0, -1, 9.9e-19, 2 ** 197, 1e300, Number.NaN, Number.POSITIVE_INFINITY])(
    '%d is not a price',
    (nativePrice) => {
      expect(toAuctionPrice(nativePrice)).toBeUndefined()
    },
  )

  test('stays within one double rounding and one floor of the exact product', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 2n ** 53n), fc.integer({ min: 0, max: 60 }), (significand, shift) => {
        const exact = (significand * 10n ** 18n) / 2n ** BigInt(shift)
        const got = toAuctionPrice(Number(significand) * 2 ** -shift) ?? 0n
        const difference = got > exact ? got - exact : exact - got
        expect(difference <= exact / 2n ** 53n + 1n).toBe(true)
      }),
    )
  })
})
