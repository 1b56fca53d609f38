import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toRational } from '#shared/amounts/rational.ts'
import { computeNetworkFee } from './computeNetworkFee.ts'

const gasUnits = fc.bigInt(0n, 30_000_000n)
const gasPrices = fc.bigInt(0n, 10n ** 13n)
/** wei per atom: from a worthless token with many decimals to one whose atom is worth 10 ether */
const nativePrices = fc
  .tuple(fc.double({ min: 1, max: 10, noNaN: true }), fc.integer({ min: -40, max: 18 }))
  .map(([mantissa, exponent]) => mantissa * 10 ** exponent)

describe('computeNetworkFee', () => {
  test('is the cost in sell atoms, rounded up once', () => {
    expect(computeNetworkFee(100_000n, 2_000_000_000n, 1)).toBe(200_000_000_000_000n)
    expect(computeNetworkFee(1n, 10n, 3)).toBe(4n)
    expect(computeNetworkFee(1n, 9n, 3)).toBe(3n)
    expect(computeNetworkFee(1n, 1n, 1e18)).toBe(1n)
    expect(computeNetworkFee(0n, 10n, 3)).toBe(0n)
  })

  test('takes the price at the exact value of its double, not at its decimal text', () => {
    // the double 0.1 is a little above 1/10, so ten wei cost a little less than 100 atoms: still 100 when rounded up
    expect(computeNetworkFee(1n, 10n, 0.1)).toBe(100n)
    // here the difference is larger than one atom
    expect(computeNetworkFee(1n, 10n ** 30n, 0.1)).toBe(9_999_999_999_999_999_444_888_487_687_422n)
  })

  test('is never below cost and never a whole atom above it', () => {
    fc.assert(
      fc.property(gasUnits, gasPrices, nativePrices, (gas, gasPrice, nativePrice) => {
        const fee = computeNetworkFee(gas, gasPrice, nativePrice)
        const { numerator, denominator } = toRational(nativePrice)
        const cost = gas * gasPrice * denominator
        expect(fee * numerator >= cost).toBe(true)
        expect(fee === 0n ? cost === 0n : (fee - 1n) * numerator < cost).toBe(true)
      }),
    )
  })

  test.each([undefined, 0, Number.NaN, Number.POSITIVE_INFINITY])('price %s: no liquidity', (price) => {
    expect(() => computeNetworkFee(1n, 1n, price)).toThrow(expect.objectContaining({ errorType: 'NoLiquidity' }))
  })
})
