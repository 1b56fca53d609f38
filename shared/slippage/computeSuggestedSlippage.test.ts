import { suggestSlippageBps } from '@cowprotocol/cow-sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computeSuggestedSlippage, defaultRoom, maxSuggestedBps } from './computeSuggestedSlippage.ts'

const roomOf = (priceBps: number, feePpm: bigint) => ({ priceBps, feePpm })

describe('computeSuggestedSlippage', () => {
  test.each([
    [1_000_000n, 0n, roomOf(50, 500_000n), 50],
    // half of a fee of 1 % is 50 bps
    [1_000_000n, 10_000n, roomOf(50, 500_000n), 100],
    // half of a fee of as much as is traded is 5,000 bps
    [1_000_000n, 1_000_000n, roomOf(0, 500_000n), 5_000],
    [1_000_000n, 500_000n, roomOf(50, 500_000n), 2_550],
    [1_000_000n, 10_000n, roomOf(7, 200_000n), 27],
  ])('adds the room for the fee of a trade of %s to the room for the price', (traded, fee, room, expected) => {
    expect(computeSuggestedSlippage(traded, fee, room)).toBe(expected)
  })

  test('rounds up to a whole basis point', () => {
    expect(computeSuggestedSlippage(10n ** 30n, 1n, defaultRoom)).toBe(51)
    expect(computeSuggestedSlippage(3n, 0n, defaultRoom)).toBe(50)
  })

  test('never signs away more than half', () => {
    expect(computeSuggestedSlippage(1n, 10n ** 60n, defaultRoom)).toBe(maxSuggestedBps)
    expect(computeSuggestedSlippage(0n, 1n, defaultRoom)).toBe(maxSuggestedBps)
    expect(computeSuggestedSlippage(-1n, 1n, defaultRoom)).toBe(maxSuggestedBps)
  })

  test('covers the fee and the price that it has room for, to the atom', () => {
    const amount = fc.bigInt(1n, 10n ** 30n)
    const room = fc.record({ priceBps: fc.integer({ min: 0, max: 2_000 }), feePpm: fc.bigInt(0n, 3_000_000n) })
    fc.assert(
      fc.property(amount, amount, room, (traded, fee, { priceBps, feePpm }) => {
        const bps = computeSuggestedSlippage(traded, fee, { priceBps, feePpm })
        const needed = fee * feePpm + traded * BigInt(priceBps) * 100n
        const given = traded * BigInt(bps) * 100n
        if (bps < maxSuggestedBps) expect(given >= needed && given - needed < traded * 100n).toBe(true)
        else expect(needed > traded * BigInt(maxSuggestedBps - 1) * 100n).toBe(true)
      }),
    )
  })

  test('without a history is never below the suggestion of the official SDK', () => {
    const amount = fc.bigInt(10n ** 6n, 10n ** 24n)
    fc.assert(
      fc.property(amount, amount, amount, fc.constantFrom('sell', 'buy'), (sellAmount, buyAmount, size, kind) => {
        const feeAmount = size % (sellAmount + 1n)
        const amounts = { sellAmount: `${sellAmount}`, buyAmount: `${buyAmount}`, feeAmount: `${feeAmount}` }
        const ofSdk = suggestSlippageBps({
          isEthFlow: false,
          quote: { quote: { kind, ...amounts } },
          trader: { chainId: 11_155_111 },
          tradeParameters: {},
        } as unknown as Parameters<typeof suggestSlippageBps>[0])
        const ours = computeSuggestedSlippage(sellAmount, feeAmount, defaultRoom)
        expect(ours).toBeGreaterThanOrEqual(Math.min(ofSdk, maxSuggestedBps))
        expect(ours).toBeLessThanOrEqual(ofSdk + 2)
      }),
    )
  })
})
