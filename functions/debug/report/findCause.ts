import { computeMarketGap } from '#shared/amounts/computeMarketGap.ts'
import { toPriceText } from '#shared/amounts/toPriceText.ts'
import type { JsonObject } from '#shared/http/errors.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { findReason, toCode } from '#shared/orders/verdict/computeVerdict.ts'
import { diagnosisCodes } from './diagnosis.ts'
import { type DiagnosisFacts, type Event, type Facts, graceMs } from './diagnosisFacts.ts'
import {
  type Cause,
  findOwnAttempts,
  hasFailed,
  toBackOff,
  toOutbid,
  toSettlementFailure,
} from './toSettlementFailure.ts'

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

/** A winner is settling the order, or failed to. */
const findFlight = (order: StoredOrder, facts: Facts, since: Date): Cause => {
  const attempt = findOwnAttempts(facts).at(-1)
  if (attempt && attempt.outcome !== null && attempt.outcome !== 'success') return toSettlementFailure(facts, since)
  const { auctionId, solver, deadlineBlock } = attempt ?? {}
  return {
    code: 'executing',
    since,
    data: attempt
      ? { auctionId: auctionId ?? null, solver: solver ?? null, deadlineBlock: deadlineBlock ?? null }
      : toExecuted(order),
  }
}

/** The order is in the auctions: past attempts decide, otherwise the comparison of its limit with the market. */
const findWhyUnfilled = (order: StoredOrder, facts: Facts, ready: Event, nowMs: number): Cause => {
  const since = ready.createdAt
  const before = facts.events.findLast(({ label, reason }) => label !== 'ready' && reason !== 'in_flight')
  const wasSettled = before?.label === 'executing' || before?.reason === 'settlement_failed'
  if (wasSettled && hasFailed(facts)) return toSettlementFailure(facts, before.createdAt)
  if (before?.label === 'considered') return toOutbid(facts, before.createdAt)
  const { first, last } = facts.membership
  const auctions: JsonObject = first === null || last === null ? {} : { auctions: { first, last } }
  const market = computeMarket(order, facts) ?? {}
  if (nowMs - since.getTime() < graceMs) return { code: 'in_auction', since, data: { ...market, ...auctions } }
  const failure = findReason((facts.findings ?? []).filter(({ check }) => check !== 'state' && check !== 'expiry'))
  if (failure) {
    const code = diagnosisCodes.find((known) => known === toCode(failure)) ?? 'excluded'
    return { code, since, data: { ...failure.evidence, ...auctions }, reason: toCode(failure) }
  }
  const price = facts.findings?.find(({ check, status }) => check === 'price' && status === 'pass')
  const isOut = !price && typeof market.gapBps === 'number' && market.gapBps > 0
  return {
    code: isOut ? 'out_of_market' : 'no_solution',
    since,
    data: { ...(price ? price.evidence : market), ...auctions },
  }
}

/** Compares by native prices: those of the newest auction, or for an expired order those of its entry. */
const computeMarket = (order: StoredOrder, facts: Facts): JsonObject | undefined => {
  const logged = facts.events.findLast(({ label }) => label === 'ready')?.data ?? undefined
  return (facts.hasExpired ? undefined : computeCurrentMarket(order, facts)) ?? logged
}

const computeCurrentMarket = (order: StoredOrder, { currentAuction }: DiagnosisFacts): JsonObject | undefined => {
  const { sellTokenPrice, buyTokenPrice } = currentAuction ?? {}
  if (!sellTokenPrice || !buyTokenPrice || sellTokenPrice === '0' || buyTokenPrice === '0') return undefined
  const gap = computeMarketGap(order, BigInt(sellTokenPrice), BigInt(buyTokenPrice))
  return { limitPrice: toPriceText(gap.limitPrice), marketPrice: toPriceText(gap.marketPrice), gapBps: gap.gapBps }
}

const toExecuted = ({ executedSellAmount, executedBuyAmount }: StoredOrder): JsonObject => ({
  executedSellAmount: executedSellAmount.toString(),
  executedBuyAmount: executedBuyAmount.toString(),
})
