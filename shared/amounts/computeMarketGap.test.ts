import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeMarketGap } from './computeMarketGap.ts'

const wei = 10n ** 18n

test.each([
  // sell, buy, price of a sell atom, of a buy atom: gap
  [1000n, 2000n, 2n * wei, wei, 0],
  [1000n, 3000n, 2n * wei, wei, 5_000],
  [1000n, 1000n, 2n * wei, wei, -5_000],
  [1000n, 2001n, 2n * wei, wei, 5],
  [10n ** 6n, 2n * 10n ** 6n + 1n, 2n * wei, wei, 1],
  [10n ** 6n, 2n * 10n ** 6n - 1n, 2n * wei, wei, 0],
])('%i for at least %i at prices of %i and %i is %i bps away', (sellAmount, buyAmount, sellPrice, buyPrice, gapBps) => {
  expect(computeMarketGap({ sellAmount, buyAmount }, sellPrice, buyPrice).gapBps).toBe(gapBps)
})

test('is positive exactly when the limit is better than the market', () => {
  const amount = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
  fc.assert(
    fc.property(amount, amount, amount, amount, (sellAmount, buyAmount, sellPrice, buyPrice) => {
      const { gapBps } = computeMarketGap({ sellAmount, buyAmount }, sellPrice, buyPrice)
      expect(Number.isSafeInteger(gapBps)).toBe(true)
      expect(gapBps > 0).toBe(buyAmount * buyPrice > sellAmount * sellPrice)
    }),
  )
})
