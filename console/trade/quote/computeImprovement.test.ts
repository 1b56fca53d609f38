import { expect, test } from 'vitest'
import { computeImprovement } from './computeImprovement.ts'

const before = { sellAmount: 1_000n, buyAmount: 2_000n }

test('is more buy token for a sell order', () => {
  expect(computeImprovement('sell', before, { sellAmount: 1_000n, buyAmount: 2_002n })).toEqual({
    atoms: 2n,
    of: 2_000n,
  })
  expect(computeImprovement('sell', before, { sellAmount: 1_000n, buyAmount: 1_998n })).toEqual({
    atoms: -2n,
    of: 2_000n,
  })
})

test('is less sell token for a buy order', () => {
  expect(computeImprovement('buy', before, { sellAmount: 990n, buyAmount: 2_000n })).toEqual({ atoms: 10n, of: 1_000n })
})
