import { expect, test } from 'vitest'
import { computeNextGasPrice } from './findNextGasPrice.ts'

test.each([
  [8n, 1n, 10n],
  [1_000_000_001n, 2_000n, 1_125_002_002n],
  [0n, 5n, 5n],
])('base fee %i and tip %i cost at most %i in the next block, rounded up', (baseFeePerGas, tip, expected) => {
  expect(computeNextGasPrice({ baseFeePerGas, maxPriorityFeePerGas: tip })).toBe(expected)
})
