import type { FeePolicyRow } from '#schema/queries/auctions/feePolicies.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'

/** A fee policy as the database keeps it; the quote is the order's. */
export const toFeePolicyRow = (policy: FeePolicy): Omit<FeePolicyRow, 'orderUid' | 'applicationOrder'> => {
  const { kind, factor } = policy
  if (kind === 'volume') return { kind, volumeFactor: factor }
  const { maxVolumeFactor } = policy
  return kind === 'surplus'
    ? { kind, surplusFactor: factor, surplusMaxVolumeFactor: maxVolumeFactor }
    : { kind, priceImprovementFactor: factor, priceImprovementMaxVolumeFactor: maxVolumeFactor }
}
