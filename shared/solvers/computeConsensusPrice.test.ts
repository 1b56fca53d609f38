import { describe, expect, test } from 'vitest'
import { createRandom } from '#tools/stack/createRandom.ts'
import { computeConsensusPrice, hasAgreement } from './computeConsensusPrice.ts'

const toPrices = (prices: number[]) => prices.map((price, i) => ({ solver: `solver${i}`, price }))

describe('computeConsensusPrice', () => {
  test.each([
    ['has no price without any', [], undefined, undefined, false, []],
    ['takes the only price, unconfirmed', [5], undefined, 5, false, []],
    ['confirms the only price by an earlier one', [5], 4, 5, true, []],
    ['takes the lower one of two', [5, 4], undefined, 4, true, []],
    ['takes the second best of three', [3, 5, 4], undefined, 4, true, []],
    ['leaves out a bogus high price among three', [4, 1e30, 5], undefined, 4, true, ['solver1']],
    ['leaves out a bogus low price among three', [4, 1e-30, 5], undefined, 4, true, ['solver1']],
    ['leaves out a bogus high and a bogus low one', [1e30, 4, 1e-30, 5], undefined, 4, true, ['solver0', 'solver2']],
    ['decides between two by the earlier price, high', [5, 1e30], 4, 5, true, ['solver1']],
    ['decides between two by the earlier price, low', [1e-30, 5], 4, 5, true, ['solver0']],
    ['takes the lower one of two that contradict each other', [5, 1e30], undefined, 5, false, []],
    ['takes the lower one when the earlier price is far from both', [5, 4], 1e9, 4, true, []],
  ] as const)('%s', (_, prices, earlier, price, isConfirmed, outliers) => {
    const consensus = computeConsensusPrice(toPrices([...prices]), earlier)
    expect({ ...consensus, outliers: consensus.outliers.map(({ solver }) => solver).sort() }).toEqual({
      price,
      isConfirmed,
      outliers,
    })
  })

  test('stays within the honest prices for any price of one solver, with two honest ones or an earlier price', () => {
    const random = createRandom(7)
    const pick = (low: number, high: number) => low * (high / low) ** random()
    for (let i = 0; i < 2_000; i += 1) {
      const truth = pick(1e-12, 1e12)
      const honest = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(truth / 1.5, truth * 1.5))
      const earlier = honest.length === 1 ? pick(truth / 2, truth * 2) : undefined
      const all = toPrices([...honest, pick(1e-40, 1e40)].toSorted(() => random() - 0.5))
      const { price = 0 } = computeConsensusPrice(all, earlier)
      expect(price / truth).toBeGreaterThan(1 / 30)
      expect(price / truth).toBeLessThan(30)
    }
  })
})

test('two prices within a factor of three agree', () => {
  expect(hasAgreement([])).toBe(false)
  expect(hasAgreement([1])).toBe(false)
  expect(hasAgreement([1, 4])).toBe(false)
  expect(hasAgreement([1, 1e30, 3])).toBe(true)
})
