import { describe, expect, test } from 'vitest'
import type { ExecutedOrder } from '#shared/amounts/computeSurplus.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'
import { undoFees } from './undoFees.ts'

/** Sold 1000 for 800, with a limit of at least 600. */
const sell: ExecutedOrder = { kind: 'sell', limitSell: 1000n, limitBuy: 600n, executedSell: 1000n, executedBuy: 800n }
/** Bought 600 for 800, with a limit of at most 1000. */
const buy: ExecutedOrder = { kind: 'buy', limitSell: 1000n, limitBuy: 600n, executedSell: 800n, executedBuy: 600n }

const volume: FeePolicy = { kind: 'volume', factor: 0.2 }
const surplus: FeePolicy = { kind: 'surplus', factor: 0.5, maxVolumeFactor: 0.9 }
const improvement = (
  quote: [sell: bigint, buy: bigint, fee: bigint],
  rest: { factor?: number; maxVolumeFactor?: number } = {},
): FeePolicy => ({
  kind: 'priceImprovement',
  factor: 0.5,
  maxVolumeFactor: 0.9,
  quote: { sellAmount: quote[0], buyAmount: quote[1], fee: quote[2] },
  ...rest,
})

describe('undoFees', () => {
  test.each<[string, ExecutedOrder, FeePolicy, bigint]>([
    ['a fifth of 1000 was taken', sell, volume, 200n],
    ['sold amounts went from 666⅔ to 800: ⌊800 · 0.2 / 1.2⌋', { ...buy }, volume, 133n],
    ['half of the surplus of 400', sell, surplus, 200n],
    ['half of the surplus of 400, in the sell token', buy, surplus, 200n],
    ['no more than a tenth of the volume: ⌊800 / 9⌋', sell, { ...surplus, maxVolumeFactor: 0.1 }, 88n],
    ['no more than a tenth of the volume: ⌊800 / 11⌋', buy, { ...surplus, maxVolumeFactor: 0.1 }, 72n],
    ['nothing when the cap is nothing', sell, { ...surplus, maxVolumeFactor: 0 }, 0n],
    ['nothing when it got its limit', { ...sell, executedBuy: 600n }, surplus, 0n],
    ['half of what is above the quote of 700', sell, improvement([1000n, 700n, 0n]), 100n],
    ['the quote less its network fee: 630', sell, improvement([1000n, 700n, 100n]), 170n],
    ['a quote for twice the amount is scaled', sell, improvement([2000n, 1400n, 0n]), 100n],
    ['the signed limit when the quote is worse', sell, improvement([1000n, 500n, 0n]), 200n],
    ['the signed limit without a quote', sell, improvement([1000n, 0n, 0n]), 200n],
    ['the signed limit when the fee consumes the quote', sell, improvement([100n, 70n, 100n]), 200n],
    ['nothing when the quote was better', sell, improvement([1000n, 900n, 0n]), 0n],
    ['half of what is below the quote with its fee: 900', buy, improvement([850n, 600n, 50n]), 100n],
    ['the signed limit of a buy order without a quote', buy, improvement([1000n, 0n, 0n]), 200n],
    ['nothing when the buy order was quoted better', buy, improvement([700n, 600n, 50n]), 0n],
    ['no more than a tenth of the volume', sell, improvement([1000n, 700n, 0n], { maxVolumeFactor: 0.1 }), 88n],
    ['a fee of nothing', sell, { kind: 'volume', factor: 0 }, 0n],
  ])('%s', (_, order, policy, fee) => {
    const undone = undoFees(order, [policy])
    expect(undone.fees).toEqual([fee])
    const { executedSell, executedBuy } = order
    expect(undone).toMatchObject(
      order.kind === 'sell'
        ? { executedSell, executedBuy: executedBuy + fee }
        : { executedSell: executedSell - fee, executedBuy },
    )
  })

  test('measures the gain of a partial fill against the limit of that part', () => {
    // the limit of 500 of 1000 is 300
    expect(undoFees({ ...sell, executedSell: 500n, executedBuy: 400n }, [surplus]).fees).toEqual([100n])
    expect(undoFees({ ...buy, executedSell: 400n, executedBuy: 300n }, [surplus]).fees).toEqual([100n])
  })

  test('undoes the last policy first, each on the amounts before all fees undone so far', () => {
    // 800 ← volume 200 ← 1000 ← half of the surplus of 400
    expect(undoFees(sell, [surplus, volume])).toEqual({ executedSell: 1000n, executedBuy: 1400n, fees: [400n, 200n] })
    // 800 ← half of the surplus of 200 ← 1000 ← volume 250
    expect(undoFees(sell, [volume, surplus])).toEqual({ executedSell: 1000n, executedBuy: 1250n, fees: [250n, 200n] })
  })

  test('accepts extreme amounts, and rejects amounts outside uint256', () => {
    const most = { limitSell: maxUint256, limitBuy: maxUint256, executedSell: maxUint256, executedBuy: maxUint256 }
    expect(undoFees({ kind: 'sell', ...most }, [surplus]).executedBuy).toBe(maxUint256)
    expect(undoFees({ kind: 'buy', ...most }, [volume]).executedBuy).toBe(maxUint256)
    expect(() => undoFees({ kind: 'sell', ...most }, [volume])).toThrow(RangeError)
    expect(() => undoFees({ ...sell, limitSell: 0n }, [surplus])).toThrow(RangeError)
    expect(undoFees(sell, [])).toEqual({ executedSell: 1000n, executedBuy: 800n, fees: [] })
  })
})
