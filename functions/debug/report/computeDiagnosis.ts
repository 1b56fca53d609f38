import { isProgressLabel } from '#schema/queries/events/progressEvents.ts'
import { computeOrderStatus, type OrderStatus } from '#shared/orders/computeOrderStatus.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import { diagnoseCancelled, diagnoseFilled, newestOf } from './diagnoseEnded.ts'
import { diagnoseExpired } from './diagnoseExpired.ts'
import { diagnoseOpen } from './diagnoseOpen.ts'
import type { Diagnosis } from './diagnosis.ts'
import type { DiagnosisFacts, Facts, LiveFacts } from './diagnosisFacts.ts'
import { nameFailingHooks } from './nameFailingHooks.ts'
import { notListed, toDiagnosis } from './toDiagnosis.ts'

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
  return nameFailingHooks(diagnose(order, facts, status, now), facts)
}

const diagnose = (order: StoredOrder, facts: Facts, status: OrderStatus, now: number): Diagnosis => {
  switch (status) {
    case 'fulfilled':
      return diagnoseFilled(order, facts)
    case 'cancelled':
      return diagnoseCancelled(order, facts)
    case 'expired':
      return diagnoseExpired(order, facts)
    case 'presignaturePending':
      return toDiagnosis(facts.words, notListed, {
        code: 'presignature_pending',
        since: newestOf(facts, 'invalid')?.createdAt ?? order.createdAt,
        data: { signingScheme: 'presign', owner: order.owner },
      })
    case 'open':
      return diagnoseOpen(order, facts, now)
  }
}
