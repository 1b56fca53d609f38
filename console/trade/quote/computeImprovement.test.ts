import { expect, test } from 'vitest'
import { computeImprovement } from './computeImprovement.ts'

const before = { sellAmount: 1_000n, buyAmount: 2_000n }

test('an offer for a sell order improves by more buy token', () => {
  expect(computeImprovement('sell', before, { sellAmount: 1_000n, buyAmount: 2_002n })).toEqual({
    atoms: 2n,
    of: 2_000n,
  })
  expect(computeImprovement('sell', before, { sellAmount: 1_000n, buyAmount: 1_998n })).toEqual({
    atoms: -2n,
    of: 2_000n,
  })
})

test('an offer for a buy order improves by less sell token', () => {
  expect(computeImprovement('buy', before, { sellAmount: 990n, buyAmount: 2_000n })).toEqual({ atoms: 10n, of: 1_000n })
})
