import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capPartnerFees } from './capPartnerFees.ts'

const quote = { sellAmount: 10n, buyAmount: 20n, fee: 1n }
const surplus = (bps: number, maxVolumeBps: number) => ({ kind: 'surplus' as const, bps, maxVolumeBps })
const volume = (bps: number) => ({ kind: 'volume' as const, bps, maxVolumeBps: null })
const capOf = (policy: ReturnType<typeof capPartnerFees>[number]) =>
  policy.kind === 'volume' ? policy.factor : policy.maxVolumeFactor

describe('capPartnerFees', () => {
  test('compounds the caps of several fees up to the limit, and reduces the last to zero', () => {
    const policies = capPartnerFees([surplus(3000, 2500), surplus(3000, 2000), surplus(3000, 1000)], 375_000n, quote)
    expect(policies).toEqual([
      { kind: 'surplus', factor: 0.3, maxVolumeFactor: 0.25 },
      { kind: 'surplus', factor: 0.3, maxVolumeFactor: 0.1 },
      { kind: 'surplus', factor: 0.3, maxVolumeFactor: 0 },
    ])
    expect(policies.reduce((product, policy) => product * (1 + capOf(policy)), 1)).toBeCloseTo(1.375, 12)
  })

  test('leaves fees below the limit unchanged', () => {
    expect(
      capPartnerFees([volume(20), { kind: 'priceImprovement', bps: 5000, maxVolumeBps: 30 }], 10_000n, quote),
    ).toEqual([
      { kind: 'volume', factor: 0.002 },
      { kind: 'priceImprovement', factor: 0.5, maxVolumeFactor: 0.003, quote },
    ])
  })

  test('limits the share of a gain to 99.99 %', () => {
    expect(capPartnerFees([surplus(10_000, 10)], 10_000n, quote)).toEqual([
      { kind: 'surplus', factor: 0.9999, maxVolumeFactor: 0.001 },
    ])
  })

  test('never exceeds a requested fee, nor the limit in total', () => {
    const bps = fc.integer({ min: 0, max: 10_000 })
    const fee = fc.oneof(
      bps.map(volume),
      fc.tuple(bps, bps).map(([share, cap]) => surplus(share, cap)),
    )
    fc.assert(
      fc.property(fc.array(fee, { maxLength: 6 }), fc.integer({ min: 0, max: 999_999 }), (fees, ppm) => {
        const caps = capPartnerFees(fees, BigInt(ppm), quote).map(capOf)
        const requested = fees.map((requestedFee) => (requestedFee.maxVolumeBps ?? requestedFee.bps) / 10_000)
        expect(caps.every((cap, i) => cap >= 0 && cap <= (requested[i] ?? 0))).toBe(true)
        expect(caps.reduce((product, cap) => product * (1 + cap), 1)).toBeLessThanOrEqual((1 + ppm / 1e6) * (1 + 1e-14))
      }),
    )
  })
})
