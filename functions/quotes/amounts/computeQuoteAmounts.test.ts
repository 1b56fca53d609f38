import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { computeQuoteAmounts } from './computeQuoteAmounts.ts'

const uint256 = fc.bigInt(1n, maxUint256)
const error = (errorType: string, data?: unknown) => expect.objectContaining({ errorType, ...(data ? { data } : {}) })

describe('computeQuoteAmounts', () => {
  test('sellBeforeFee includes the fee and buys in proportion, rounded down', () => {
    const size = { of: 'sellBeforeFee', amount: 1_000n } as const
    expect(computeQuoteAmounts(size, { sellAmount: 1_000n, buyAmount: 333n }, 100n)).toEqual({
      sellAmount: 900n,
      buyAmount: 299n, // 299.7
      feeAmount: 100n,
    })
  })

  test('an exact sell amount and an exact buy amount exclude the fee', () => {
    const sell = { of: 'sellAfterFee', amount: 1_000n } as const
    expect(computeQuoteAmounts(sell, { sellAmount: 1_000n, buyAmount: 333n }, 100n)).toEqual({
      sellAmount: 1_000n,
      buyAmount: 333n,
      feeAmount: 100n,
    })
    const buy = { of: 'buy', amount: 333n } as const
    expect(computeQuoteAmounts(buy, { sellAmount: 1_000n, buyAmount: 333n }, 5_000n)).toEqual({
      sellAmount: 1_000n,
      buyAmount: 333n,
      feeAmount: 5_000n,
    })
  })

  test('sellBeforeFee loses nothing, and the price of the remainder is never better than the estimate', () => {
    fc.assert(
      fc.property(uint256, uint256, fc.bigInt(0n, 2n ** 128n), (amount, estimatedBuy, fee) => {
        const estimate = { sellAmount: amount, buyAmount: estimatedBuy }
        try {
          const { sellAmount, buyAmount, feeAmount } = computeQuoteAmounts(
            { of: 'sellBeforeFee', amount },
            estimate,
            fee,
          )
          expect(sellAmount + feeAmount).toBe(amount)
          expect(buyAmount * amount <= estimatedBuy * sellAmount).toBe(true)
          expect((buyAmount + 1n) * amount > estimatedBuy * sellAmount).toBe(true)
          expect(buyAmount > 0n && sellAmount > 0n).toBe(true)
        } catch (thrown) {
          expect(thrown).toEqual(error('SellAmountDoesNotCoverFee'))
          expect(fee >= amount || estimatedBuy * (amount - fee) < amount).toBe(true)
        }
      }),
    )
  })

  test('sellBeforeFee of at most the fee reports the fee, in hex as clients read it and in decimals', () => {
    const estimate = { sellAmount: 255n, buyAmount: 10n ** 18n }
    expect(() => computeQuoteAmounts({ of: 'sellBeforeFee', amount: 255n }, estimate, 255n)).toThrow(
      error('SellAmountDoesNotCoverFee', {
        fee_amount: '0xff',
        feeAmount: '255',
        sellAmountBeforeFee: '255',
        // ⌈255 · 1.1⌉ and the atom that buys one
        minSellAmount: '282',
      }),
    )
    expect(computeQuoteAmounts({ of: 'sellBeforeFee', amount: 256n }, { ...estimate, sellAmount: 256n }, 255n)).toEqual(
      {
        sellAmount: 1n,
        buyAmount: 3_906_250_000_000_000n,
        feeAmount: 255n,
      },
    )
  })

  test('the remainder of sellBeforeFee must buy at least one atom', () => {
    const size = { of: 'sellBeforeFee', amount: 1_000n } as const
    expect(() => computeQuoteAmounts(size, { sellAmount: 1_000n, buyAmount: 1n }, 1n)).toThrow(
      error('SellAmountDoesNotCoverFee'),
    )
  })

  test('signed amounts must fit into 256 bits', () => {
    const estimate = { sellAmount: maxUint256 - 1n, buyAmount: 1n }
    expect(computeQuoteAmounts({ of: 'buy', amount: 1n }, estimate, 1n).feeAmount).toBe(1n)
    expect(() => computeQuoteAmounts({ of: 'buy', amount: 1n }, estimate, 2n)).toThrow(error('SellAmountOverflow'))
  })
})
