import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeMaximum } from './computeMaximum.ts'

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const amount = fc.bigInt({ min: 10n ** 6n, max: 2n ** 200n })

describe('computeMaximum', () => {
  test('comes within a thousandth of the top of a concave function, in a bounded number of steps', () => {
    fc.assert(
      fc.property(amount, amount, (top, high) => {
        let steps = 0
        const value = (x: bigint) => {
          steps += 1
          return -((x - top) ** 2n)
        }
        const found = computeMaximum(value, 1n, high)
        const best = min(top, high)
        expect((found - best) * (found > best ? 1n : -1n)).toBeLessThanOrEqual(best / 1000n + 1n)
        expect(steps).toBeLessThanOrEqual(578)
      }),
    )
  })

  test('is exactly the top of the range for a rising function', () => {
    fc.assert(
      fc.property(amount, (high) => {
        expect(computeMaximum((x) => x, 1n, high)).toBe(high)
      }),
    )
  })

  test('stays below infeasible amounts', () => {
    fc.assert(
      fc.property(amount, amount, (most, high) => {
        const found = computeMaximum((x) => (x <= most ? x : undefined), 1n, high)
        expect(found).toBeLessThanOrEqual(min(most, high))
        expect(found).toBeGreaterThan((min(most, high) * 99n) / 100n)
      }),
    )
  })
})
