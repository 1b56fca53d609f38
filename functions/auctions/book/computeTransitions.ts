import type { Address } from 'viem'
import type { Candidate } from '#schema/queries/auctions/candidate.ts'
import type { OrderTransition } from '#schema/queries/events/orderTransitions.ts'
import type { Exclusion } from './exclude.ts'
import { computeMarketData } from './exclude.ts'

/**
 * Changes of each order since the previous auction. `executing` already records that an order is in flight, so
 * `in_flight` is not logged after it. An entering order stores the comparison of its limit with the market, which often
 * explains why it is not filled.
 */
export const computeTransitions = (
  candidates: readonly Candidate[],
  exclusions: ReadonlyMap<Candidate, Exclusion>,
  prices: ReadonlyMap<Address, bigint>,
): OrderTransition[] => {
  const transitions: OrderTransition[] = []
  for (const candidate of candidates) {
    const { uid } = candidate.order
    const exclusion = exclusions.get(candidate)
    const { label, reason } = exclusion ?? { label: 'ready', reason: null }
    const known =
      (candidate.newestLabel === label && candidate.newestReason === reason) ||
      (candidate.newestLabel === 'executing' && reason === 'in_flight')
    if (known) continue
    const data = exclusion ? exclusion.data : (computeMarketData(candidate, prices) ?? null)
    transitions.push({ uid, label, reason, data })
  }
  return transitions
}
