import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { computeAmountsLadder } from './computeAmountsLadder.ts'
import { computeQuoteAmounts } from './computeQuoteAmounts.ts'

test('sellBeforeFee: fees and slippage reduce the buy amount', () => {
  const estimate = { sellAmount: 1_000_000n, buyAmount: 2_000_000n }
  const amounts = computeQuoteAmounts({ of: 'sellBeforeFee', amount: 1_000_000n }, estimate, 100_000n)
  expect(computeAmountsLadder('sell', estimate, amounts, 30n, 50, [])).toEqual({
    beforeAllFees: { sellAmount: 1_000_000n, buyAmount: 2_000_000n },
    afterNetworkFee: { sellAmount: 1_000_000n, buyAmount: 1_800_000n },
    afterProtocolFee: { sellAmount: 1_000_000n, buyAmount: 1_799_946n },
    afterPartnerFee: { sellAmount: 1_000_000n, buyAmount: 1_799_946n },
    // 1 799 946 · 0.995 = 1 790 946.27
    afterSlippage: { sellAmount: 1_000_000n, buyAmount: 1_790_947n },
  })
})

test('an exact sell amount: the fee is added, and the first rung prices it too', () => {
  const estimate = { sellAmount: 1_000n, buyAmount: 2_000n }
  const amounts = computeQuoteAmounts({ of: 'sellAfterFee', amount: 1_000n }, estimate, 10n)
  expect(computeAmountsLadder('sell', estimate, amounts, 0n, 0, [])).toMatchObject({
    beforeAllFees: { sellAmount: 1_010n, buyAmount: 2_020n },
    afterSlippage: { sellAmount: 1_010n, buyAmount: 2_000n },
  })
})

test('an exact buy amount: all costs are added to the sell amount', () => {
  const estimate = { sellAmount: 999_999n, buyAmount: 7n }
  const amounts = computeQuoteAmounts({ of: 'buy', amount: 7n }, estimate, 1n)
  expect(computeAmountsLadder('buy', estimate, amounts, 200n, 1, [])).toEqual({
    beforeAllFees: { sellAmount: 999_999n, buyAmount: 7n },
    afterNetworkFee: { sellAmount: 1_000_000n, buyAmount: 7n },
    afterProtocolFee: { sellAmount: 1_000_200n, buyAmount: 7n },
    afterPartnerFee: { sellAmount: 1_000_200n, buyAmount: 7n },
    // 1 000 200 · 1.0001 = 1 000 300.02
    afterSlippage: { sellAmount: 1_000_300n, buyAmount: 7n },
  })
})

test('partners are paid after the protocol, one after the other', () => {
  const partnerFees = [
    { kind: 'volume', factor: 0.01 },
    { kind: 'volume', factor: 0.5 },
  ] as const
  const amounts = { sellAmount: 1_000n, buyAmount: 2_000_000n, feeAmount: 0n }
  expect(computeAmountsLadder('sell', amounts, amounts, 100_000n, 0, partnerFees)).toMatchObject({
    afterProtocolFee: { buyAmount: 1_800_000n },
    afterPartnerFee: { sellAmount: 1_000n, buyAmount: 891_000n },
    afterSlippage: { buyAmount: 891_000n },
  })
  expect(computeAmountsLadder('buy', amounts, amounts, 100_000n, 0, partnerFees)).toMatchObject({
    afterProtocolFee: { sellAmount: 1_100n },
    // ⌈1100 · 1.01⌉ − 1 and ⌈1110 · 1.5⌉ − 1: least amounts of which the fee, rounded down, leaves what it was before
    afterPartnerFee: { sellAmount: 1_664n, buyAmount: 2_000_000n },
  })
  const largest = { sellAmount: maxUint256, buyAmount: 1n }
  const ladder = () => computeAmountsLadder('buy', largest, { ...largest, feeAmount: 0n }, 0n, 0, partnerFees)
  expect(ladder).toThrow(expect.objectContaining({ errorType: 'SellAmountOverflow' }))
})

test('a limit beyond 256 bits is rejected', () => {
  const estimate = { sellAmount: maxUint256, buyAmount: 1n }
  const ladder = () => computeAmountsLadder('buy', estimate, { ...estimate, feeAmount: 0n }, 0n, 1, [])
  expect(ladder).toThrow(expect.objectContaining({ errorType: 'SellAmountOverflow' }))
})

test('no limit is looser than the slippage allows, nor by an atom tighter than it must be', () => {
  const amount = fc.bigInt({ min: 1n, max: 2n ** 200n })
  fc.assert(
    fc.property(
      fc.constantFrom('sell' as const, 'buy' as const),
      amount,
      amount,
      fc.bigInt({ min: 0n, max: 999_999n }),
      fc.nat(9_999),
      (kind, sellAmount, buyAmount, ppm, bps) => {
        const estimate = { sellAmount, buyAmount }
        const ladder = computeAmountsLadder(kind, estimate, { ...estimate, feeAmount: 5n }, ppm, bps, [])
        const key = kind === 'sell' ? 'buyAmount' : 'sellAmount'
        const quoted = ladder.afterProtocolFee[key]
        const limit = ladder.afterSlippage[key]
        const allowed = kind === 'sell' ? 10_000n - BigInt(bps) : 10_000n + BigInt(bps)
        const slack = kind === 'sell' ? limit * 10_000n - quoted * allowed : quoted * allowed - limit * 10_000n
        expect(limit).toBeGreaterThan(0n)
        expect(slack).toBeGreaterThanOrEqual(0n)
        expect(slack).toBeLessThan(10_000n)
      },
    ),
  )
})
