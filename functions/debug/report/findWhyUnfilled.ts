import type { JsonObject } from '#shared/jsonObject.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { describeNativeGap } from '#shared/orders/verdict/computePrice.ts'
import { findReason, toCode } from '#shared/orders/verdict/computeVerdict.ts'
import { diagnosisCodes } from './diagnosis.ts'
import { type DiagnosisFacts, type Event, type Facts, graceMs } from './diagnosisFacts.ts'
import { hasFailed } from './findOwnAttempts.ts'
import { type Cause, toOutbid, toSettlementFailure } from './toSettlementFailure.ts'

/** The order is in the auctions: past attempts decide, otherwise the comparison of its limit with the market. */
export const findWhyUnfilled = (order: StoredOrder, facts: Facts, ready: Event, nowMs: number): Cause => {
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
  const isOut = !price && typeof market.midGapBps === 'number' && market.midGapBps > 0
  return {
    code: isOut ? 'out_of_market' : 'no_solution',
    since,
    data: { ...(price ? price.evidence : market), ...auctions, ...(isOut ? {} : toRefusals(ready)) },
  }
}

/** Drivers that cannot read the order, from its log. */
const toRefusals = ({ data }: Event): JsonObject => (data?.refusedBy ? { refusedBy: data.refusedBy } : {})

/** Compares by native prices: those of the newest auction, or for an expired order those of its entry. */
const computeMarket = (order: StoredOrder, facts: Facts): JsonObject | undefined => {
  const logged = facts.events.findLast(({ label }) => label === 'ready')?.data ?? undefined
  return (facts.hasExpired ? undefined : computeCurrentMarket(order, facts)) ?? logged
}

const computeCurrentMarket = (order: StoredOrder, { currentAuction }: DiagnosisFacts): JsonObject | undefined => {
  const { sellTokenPrice, buyTokenPrice } = currentAuction ?? {}
  const prices = { sellPrice: BigInt(sellTokenPrice ?? 0), buyPrice: BigInt(buyTokenPrice ?? 0) }
  return describeNativeGap({ order, prices })
}
