import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { diagnosisCodes } from './diagnosis.ts'
import type { Event, Facts } from './diagnosisFacts.ts'
import { findFlight, toExecuted } from './findFlight.ts'
import { findWhyUnfilled } from './findWhyUnfilled.ts'
import { type Cause, toBackOff, toOutbid } from './toSettlementFailure.ts'

/**
 * Why an order is not filled: from its placement, then from its newest event.
 * @param nowMs Unix milliseconds
 */
export const findCause = (order: StoredOrder, facts: Facts, nowMs: number): Cause => {
  const placed = findPlacementCause(order)
  if (placed) return placed
  const newest = facts.events.at(-1)
  const since = newest?.createdAt ?? order.createdAt
  switch (newest?.label) {
    case 'invalid':
    case 'filtered':
      if (newest.reason === 'in_flight') return findFlight(order, facts, since)
      return newest.reason === 'settlement_failed' ? toBackOff(facts, newest) : toExclusion(newest)
    case 'executing':
      return findFlight(order, facts, since)
    case 'considered':
      return toOutbid(facts, since)
    case 'ready':
      return findWhyUnfilled(order, facts, newest, nowMs)
    case 'traded':
      return { code: 'partially_filled', since, data: toExecuted(order) }
    default:
      return { code: 'waiting_for_auction', since, data: {} }
  }
}

/** Why an order that a contract placed on-chain is excluded from all auctions. */
const findPlacementCause = ({ placementError, refundTransactionHash, createdAt }: StoredOrder): Cause | undefined => {
  if (placementError) return { code: 'placement_error', since: createdAt, data: { placementError } }
  if (refundTransactionHash) return { code: 'refunded', since: null, data: { transaction: refundTransactionHash } }
  return undefined
}

const toExclusion = ({ reason, createdAt, data }: Event): Cause => ({
  code: diagnosisCodes.find((code) => code === reason) ?? 'excluded',
  since: createdAt,
  data: data ?? {},
  reason,
})
