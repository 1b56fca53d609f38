import { expect, test } from 'vitest'
import { computeQuantile } from './computeQuantile.ts'
import { toMarketTable } from './toMarketTable.ts'

test('one row for each scenario, with quantiles of its blocks, prices and fees', () => {
  const outcome = {
    ...{ orders: 20, filled: 19, attempts: 10, failed: 1, gasPerOrder: 98_765.4 },
    blocksToFill: Array.from({ length: 19 }, (_, i) => i + 1),
    priceShares: [0.99, 0.9995, 1.001],
    feeShares: [1.5, 0.9, 1.1, 1.2],
  }
  expect(
    toMarketTable([['a burst', outcome]])
      .split('\n')
      .at(-1),
  ).toBe('| a burst | 20 | 95 % | 10 / 19 / 19 | 1 of 10 | 98,765 | 0.9900 / 0.9995 | 0.90 / 1.10 / 1.50 | 75 % |')
})

test('a quantile is the least value at or below which so many of the values lie', () => {
  const values = [4, 1, 3, 2]
  expect([0, 0.25, 0.26, 0.5, 0.99, 1].map((q) => computeQuantile(values, q))).toEqual([1, 1, 2, 2, 4, 4])
  expect(computeQuantile([], 0.5)).toBeNaN()
})
