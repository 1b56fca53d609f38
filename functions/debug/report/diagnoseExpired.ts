import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { Diagnosis, DiagnosisCode } from './diagnosis.ts'
import { type Facts, graceMs } from './diagnosisFacts.ts'
import { findCause } from './findCause.ts'
import { suggestAfterExpiry } from './suggestAfterExpiry.ts'
import { toDiagnosis, toFilledShare } from './toDiagnosis.ts'

/** Diagnosis of an expired order: the reason why it was not filled before. */
export const diagnoseExpired = (order: StoredOrder, facts: Facts): Diagnosis => {
  const expiredAt = new Date((order.userValidTo ?? order.validTo) * 1_000)
  const cause = findCause(order, facts, expiredAt.getTime() + graceMs)
  const filled = toFilledShare(order)
  const lead = `The order expired at ${expiredAt.toISOString()}, ${filled ?? 'unfilled'},`
  const diagnosis = toDiagnosis(facts.words, lead, underway.has(cause.code) ? { ...cause, code: 'no_auction' } : cause)
  return {
    ...diagnosis,
    severity: 'error',
    suggestion: suggestAfterExpiry(diagnosis.code, diagnosis.suggestion),
    data: { ...diagnosis.data, expiredAt: expiredAt.toISOString() },
  }
}

const underway: ReadonlySet<DiagnosisCode> = new Set(['waiting_for_auction', 'partially_filled', 'in_auction'])
