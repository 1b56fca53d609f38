import { isProgressLabel } from '#schema/queries/events/progressEvents.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'
import { describeFailedSettlements } from '#shared/orders/describeFailedSettlements.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { describeAmounts } from '#shared/tokens/tokenWords.ts'
import { describeCause, suggestAfterExpiry, type Words } from './describeCause.ts'
import type { Diagnosis, DiagnosisCode } from './diagnosis.ts'
import { type DiagnosisFacts, type Event, type Facts, graceMs, type LiveFacts } from './diagnosisFacts.ts'
import { findCause } from './findCause.ts'
import type { Cause } from './toSettlementFailure.ts'

const notListed = 'The order is not in the auctions'
/** Auctions exclude orders that expire sooner (setting MIN_VALIDITY_SECONDS of the auctions Worker). */
const lastSeconds = 60

/**
 * Diagnosis of an order: from its status, then from its newest event. Numbers logged when an auction excluded the order
 * are those of that time. The comparison of limit and market is computed from the newest auction when it has both
 * prices, otherwise it is the one logged when the order entered the auctions.
 * @param now Unix seconds
 */
export const computeDiagnosis = (
  order: StoredOrder,
  report: DiagnosisFacts,
  now: number,
  { findings, find = () => undefined }: LiveFacts = {},
): Diagnosis => {
  const words = { sellToken: order.sellToken, buyToken: order.buyToken, find }
  const events = report.events.filter(({ label }) => isProgressLabel(label))
  const status = computeOrderStatus(order, now)
  const facts: Facts = { ...report, events, findings, words, hasExpired: status === 'expired' }
  switch (status) {
    case 'fulfilled':
      return diagnoseFilled(order, facts)
    case 'cancelled':
      return diagnoseCancelled(order, facts)
    case 'expired':
      return diagnoseExpired(order, facts)
    case 'presignaturePending':
      return toDiagnosis(words, notListed, {
        code: 'presignature_pending',
        since: newestOf(facts, 'invalid')?.createdAt ?? order.createdAt,
        data: { signingScheme: 'presign', owner: order.owner },
      })
    case 'open':
      return diagnoseOpen(order, facts, now)
  }
}

const diagnoseFilled = (order: StoredOrder, facts: Facts): Diagnosis => ({
  code: 'fulfilled',
  severity: 'ok',
  since: newestOf(facts, 'traded')?.createdAt ?? null,
  message: `The order is filled: ${describeAmounts([order.executedSellAmount.toString()], order.sellToken, facts.words.find)} for ${describeAmounts([order.executedBuyAmount.toString()], order.buyToken, facts.words.find)}.`,
  suggestion: null,
  data: {
    executedSellAmount: order.executedSellAmount.toString(),
    executedBuyAmount: order.executedBuyAmount.toString(),
    ...(facts.trades[0] ? { transaction: facts.trades[0].transactionHash } : {}),
  },
})

const diagnoseCancelled = (order: StoredOrder, facts: Facts): Diagnosis => {
  const event = newestOf(facts, 'cancelled')
  const since = order.cancelledAt ?? event?.createdAt ?? null
  const ended = { severity: 'ok', since, suggestion: null } as const
  const by = { owner: order.owner }
  if (order.cancelledAt === null) {
    const code = 'cancelled_on_chain'
    const contract = typeof event?.data?.by === 'string' ? event.data.by : order.owner
    const { onchainUser } = order
    if (onchainUser !== null && onchainUser !== contract) {
      const message = `The contract ${contract} that placed the order for ${onchainUser} cancelled it on-chain.`
      return { ...ended, code, message, data: { ...by, contract, onchainUser } }
    }
    const message = 'The owner cancelled the order on-chain, by a transaction to the settlement contract.'
    return { ...ended, code, message, data: by }
  }
  const replacedBy = event?.data?.replacedBy
  if (typeof replacedBy === 'string') {
    const message = `The owner replaced the order by the order ${replacedBy}.`
    return { ...ended, code: 'replaced', message, data: { ...by, replacedBy } }
  }
  return { ...ended, code: 'cancelled_off_chain', message: 'The owner cancelled the order by a signature.', data: by }
}

const diagnoseExpired = (order: StoredOrder, facts: Facts): Diagnosis => {
  const expiredAt = new Date((order.userValidTo ?? order.validTo) * 1_000)
  const cause = findCause(order, facts, expiredAt.getTime() + graceMs)
  const filled = toFilledShare(order)
  const lead = `The order expired at ${expiredAt.toISOString()}, ${filled ?? 'unfilled'},`
  const diagnosis = toDiagnosis(facts.words, lead, isUnderway(cause) ? { ...cause, code: 'no_auction' } : cause)
  return {
    ...diagnosis,
    severity: 'error',
    suggestion: suggestAfterExpiry(diagnosis.code, diagnosis.suggestion),
    data: { ...diagnosis.data, expiredAt: expiredAt.toISOString() },
  }
}

const diagnoseOpen = (order: StoredOrder, facts: Facts, now: number): Diagnosis => {
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

const underway: ReadonlySet<DiagnosisCode> = new Set(['waiting_for_auction', 'partially_filled', 'in_auction'])
const isUnderway = ({ code }: Cause): boolean => underway.has(code)

const newestOf = ({ events }: DiagnosisFacts, label: Event['label']): Event | undefined =>
  events.findLast((event) => event.label === label)

/** Whether an unfilled order is in the auctions, so that only the current verdict explains why it is not filled. */
export const isWaiting = (order: StoredOrder, { events, membership }: DiagnosisFacts, now: number): boolean => {
  const newest = events.findLast(({ label }) => isProgressLabel(label))
  return (
    computeOrderStatus(order, now) === 'open' &&
    membership.isOpen &&
    newest?.label === 'ready' &&
    now * 1_000 - newest.createdAt.getTime() >= graceMs
  )
}

/** @param lead sentence about the state; the cause is appended */
const toDiagnosis = (words: Words, lead: string, { code, since, data, reason = null }: Cause): Diagnosis => {
  const { severity, cause, suggestion } = describeCause(code, data, reason, words)
  return { code, severity, since, message: `${lead} because of ${cause}.`, suggestion, data }
}

/** "12.3 % filled", rounded down; undefined when nothing is filled. */
const toFilledShare = (order: StoredOrder): string | undefined => {
  const [executed, exact] =
    order.kind === 'sell'
      ? [order.executedSellAmount - order.executedFeeAmount, order.sellAmount]
      : [order.executedBuyAmount, order.buyAmount]
  return executed > 0n ? `${Number((executed * 1_000n) / exact) / 10} % filled` : undefined
}
