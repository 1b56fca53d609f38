import type { DryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { checkSignedFee } from '#shared/orders/checkSignedFee.ts'
import { type Check, toCheck } from './dryRun.ts'
import type { ReadDraft } from './readDraft.ts'

/**
 * The shape of a new order with what its quote says: it may sign no fee but that of a live quote.
 * @param now Unix seconds
 */
export const toShapeCheck = (
  { order, shape }: Pick<ReadDraft, 'order' | 'shape'>,
  { namedQuote }: Pick<DryRunFacts, 'namedQuote'>,
  now: number,
): Check => {
  if (shape.status !== 'pass') return shape
  return toCheck('shape', () => {
    checkSignedFee(order, order.quoteId, namedQuote, now)
    return shape.evidence
  })
}
