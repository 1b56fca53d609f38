import type { FeePolicyRow } from '#schema/queries/auctions/feePolicies.ts'
import type { FeePolicy } from '#shared/fees/feePolicy.ts'

/** Database row of a fee policy; the quote is stored with the order. */
export const toFeePolicyRow = (policy: FeePolicy): Omit<FeePolicyRow, 'orderUid' | 'applicationOrder'> => {
  const { kind, factor } = policy
  if (kind === 'volume') return { kind, volumeFactor: factor }
  const { maxVolumeFactor } = policy
  return kind === 'surplus'
    ? { kind, surplusFactor: factor, surplusMaxVolumeFactor: maxVolumeFactor }
    : { kind, priceImprovementFactor: factor, priceImprovementMaxVolumeFactor: maxVolumeFactor }
}
