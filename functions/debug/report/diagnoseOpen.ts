import { describeFailedSettlements } from '#shared/orders/describeFailedSettlements.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { Facts } from './diagnosisFacts.ts'
import type { Words } from './evidenceTokens.ts'
import { findCause } from './findCause.ts'
import { notListed, toDiagnosis, toFilledShare } from './toDiagnosis.ts'
import type { Cause } from './toSettlementFailure.ts'

/** Auctions exclude orders that expire sooner (setting MIN_VALIDITY_SECONDS of the auctions Worker). */
const lastSeconds = 60

/** Diagnosis of an order that may still be filled. */
export const diagnoseOpen = (order: StoredOrder, facts: Facts, now: number): Diagnosis => {
  const cause = findCause(order, facts, now * 1_000)
  if (cause.code === 'waiting_for_auction' || cause.code === 'partially_filled')
    return diagnoseWaiting(order, cause, now, facts.words)
  if (cause.code === 'in_auction') {
    return {
      ...cause,
      severity: 'info',
      message: `The order is in auction ${facts.currentAuction?.id ?? facts.membership.last}, and solvers are looking for a solution.`,
      suggestion: null,
    }
  }
  if (cause.code === 'executing') {
    const { auctionId, solver, deadlineBlock } = cause.data
    const message =
      auctionId === undefined
        ? 'The order is part of a settlement that is on its way.'
        : `The solver ${solver} won auction ${auctionId} and settles the order on-chain up to block ${deadlineBlock}.`
    return { ...cause, severity: 'info', message, suggestion: null }
  }
  const isIn = facts.membership.isOpen
  const failed = cause.code === 'settlement_failed' ? describeFailedSettlements(cause.data) : undefined
  if (failed) return { ...toDiagnosis(facts.words, '', cause), message: failed }
  return toDiagnosis(facts.words, isIn ? 'The order is in the auctions and not filled' : notListed, cause)
}

/** No auction has considered the order, or its remainder, yet. */
const diagnoseWaiting = (order: StoredOrder, cause: Cause, now: number, words: Words): Diagnosis => {
  if (order.validFrom !== null && order.validFrom > now) {
    const validFrom = new Date(order.validFrom * 1_000).toISOString()
    return {
      code: 'not_yet_valid',
      severity: 'info',
      since: order.createdAt,
      message: `The order enters the auctions at ${validFrom}, as its app data says.`,
      suggestion: null,
      data: { validFrom },
    }
  }
  if ((order.userValidTo ?? order.validTo) - now < lastSeconds) {
    return toDiagnosis(words, notListed, { ...cause, code: 'expires_too_soon' })
  }
  const filled = toFilledShare(order)
  return {
    ...cause,
    severity: 'info',
    message: filled
      ? `The order is ${filled}, and the rest waits for the next auction.`
      : 'The order waits for the next auction.',
    suggestion: null,
  }
}
