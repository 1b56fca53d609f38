import { minOf } from '../amounts/minMax.ts'
import type { PartnerFee } from '../appData/parseAppData.ts'
import type { FeePolicy, QuotedAmounts } from './feePolicy.ts'
import { scaledWhole } from './toScaledFactor.ts'

/** The largest share that a fee can take; solvers refuse a policy with the full amount. */
const maxBps = 9_999

/**
 * The policies of an order's partner fees, in the document's order. Their bounds on the volume compound to at most the
 * limit m of this deployment: with what is left after the fees before,
 *     cap = min(requested, (1 + m) / Π(1 + earlier caps) − 1, 0.9999)
 * rounded down to 10^-18. Fees beyond the limit are reduced, down to zero; the order stays valid.
 * @param maxPpm m in millionths
 * @param quote reference of price improvement
 */
export const capPartnerFees = (
  fees: readonly Pick<PartnerFee, 'kind' | 'bps' | 'maxVolumeBps'>[],
  maxPpm: bigint,
  quote: QuotedAmounts,
): FeePolicy[] => {
  const limit = scaledWhole + toScaled(maxPpm, 1_000_000n)
  let product = scaledWhole
  return fees.map(({ kind, bps, maxVolumeBps }) => {
    const requestedBps = Math.min(kind === 'volume' ? bps : (maxVolumeBps ?? 0), maxBps)
    const requested = toScaled(BigInt(requestedBps), 10_000n)
    const left = (limit * scaledWhole) / product - scaledWhole
    const cap = minOf(requested, left)
    product = (product * (scaledWhole + cap) + scaledWhole - 1n) / scaledWhole
    const maxVolumeFactor = Number(cap) / 1e18
    if (kind === 'volume') return { kind, factor: maxVolumeFactor }
    const factor = Math.min(bps, maxBps) / 10_000
    return kind === 'surplus' ? { kind, factor, maxVolumeFactor } : { kind, factor, maxVolumeFactor, quote }
  })
}

const toScaled = (numerator: bigint, denominator: bigint): bigint => (numerator * scaledWhole) / denominator
