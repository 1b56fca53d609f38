import { expect, test } from 'vitest'
import { computeLimit } from './computeLimit.ts'

const decimals = { sell: 18, buy: 6 }
const price = { numerator: 30_000n, denominator: 10n }

test('computes the buy amount of a sell order from its price', () => {
  expect(computeLimit({ kind: 'sell', amount: 2n * 10n ** 18n, price, decimals })).toEqual({
    sellAmount: 2n * 10n ** 18n,
    buyAmount: 6_000_000_000n,
  })
})

test('rounds up the buy amount of a sell order', () => {
  expect(computeLimit({ kind: 'sell', amount: 1n, price, decimals }).buyAmount).toBe(1n)
})

test('rounds down the sell amount of a buy order', () => {
  const limit = computeLimit({ kind: 'buy', amount: 1_000_000n, price, decimals })
  expect(limit).toEqual({ sellAmount: 333_333_333_333_333n, buyAmount: 1_000_000n })
})
