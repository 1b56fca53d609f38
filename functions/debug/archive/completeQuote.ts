import type { StoredOrderQuote } from '#shared/orders/storedOrder.ts'
import type { ArchivedEvents } from './archivedEvents.ts'

/** The quote of an order with its plan, which the archive may have. A plan in the database belongs to a later quote. */
export const completeQuote = (
  quote: StoredOrderQuote | null,
  archived: readonly Pick<ArchivedEvents, 'plan'>[],
): StoredOrderQuote | null => {
  const plan = archived.findLast((each) => each.plan)?.plan
  return quote && plan && isEmpty(quote.metadata) ? { ...quote, metadata: plan } : quote
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0
