import type { DryRunFacts } from '#schema/queries/debug/dryRunFacts.ts'
import { checkSignedFee } from '#shared/orders/checkSignedFee.ts'
import { type Check, toCheck } from './check.ts'
import type { ReadDraft } from './readDraft.ts'

/**
 * Checks the form of a new order together with its quote: the only fee it may sign is that of a live quote.
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
