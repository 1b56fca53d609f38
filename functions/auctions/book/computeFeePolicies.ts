import type { Address } from 'viem'
import type { PartnerFee } from '#shared/appData/parseAppData.ts'
import { capPartnerFees } from '#shared/fees/capPartnerFees.ts'
import { computeCurrentRules } from '#shared/fees/computeCurrentRules.ts'
import { computeVolumeFactor } from '#shared/fees/computeVolumeFactor.ts'
import type { FeePolicy, QuotedAmounts } from '#shared/fees/feePolicy.ts'
import type { FeeRules } from '#shared/fees/feeRules.ts'

/** The fields of an order that determine its fees. */
export type FeeOrder = {
  sellToken: Address
  buyToken: Address
  class: 'market' | 'limit' | 'liquidity'
  partnerFees: readonly PartnerFee[]
}

/**
 * Fee policies of an order in an auction, in the order of application: those configured for its class, then its partner
 * fees. Liquidity orders pay partner fees only.
 * @param quote reference of price improvement
 * @param context `now` is Unix seconds
 */
export const computeFeePolicies = (
  rules: FeeRules,
  order: FeeOrder,
  quote: QuotedAmounts,
  context: { wrappedNative: Address; now: number },
): FeePolicy[] => {
  const partnerFees = capPartnerFees(order.partnerFees, rules.maxPartnerPpm, quote)
  if (order.class === 'liquidity') return partnerFees
  const orderClass = order.class
  const policies = computeCurrentRules(rules, orderClass, context.now).flatMap(
    ({ kind, factor, maxVolumeFactor }): FeePolicy[] => {
      if (kind === 'surplus') return [{ kind, factor, maxVolumeFactor }]
      if (kind === 'priceImprovement') return [{ kind, factor, maxVolumeFactor, quote }]
      const volumeFactor = computeVolumeFactor(rules, order, orderClass, context)
      return volumeFactor === undefined ? [] : [{ kind, factor: volumeFactor }]
    },
  )
  return [...policies, ...partnerFees]
}
