import { toRational } from '#shared/amounts/rational.ts'
import type { OrderKind } from '#shared/signing/order.ts'
import { computeNetValue } from './computeNetValue.ts'
import type { Estimate } from './findEstimate.ts'
import type { EstimateMarket } from './findMarket.ts'

/**
 * Whether an estimate ranks strictly before another of the same request. Confirmed estimates rank before unsimulated
 * ones, then by value net of gas. Of equal estimates the earlier one stays first.
 */
export const isBetterEstimate = (
  kind: OrderKind,
  market: EstimateMarket,
  candidate: Estimate,
  best: Estimate,
): boolean => {
  const [candidateHolds, bestHolds] = [candidate, best].map(({ verification }) => verification.status === 'passed')
  if (candidateHolds !== bestHolds) return candidateHolds === true
  const price = toRational(kind === 'sell' ? market.buyTokenPrice : market.sellTokenPrice)
  const value = (estimate: Estimate) => computeNetValue(kind, estimate, price, market.gasPrice)
  return value(candidate) > value(best)
}
