import type { Outcome } from './channel.ts'
import type { BoundedAnswer } from './postBounded.ts'

/**
 * What an answer means for the delivery.
 * @param goneStatuses with which a target says that it is no more
 */
export const toOutcome = (
  answer: BoundedAnswer | { failure: string },
  goneStatuses: readonly number[] = [],
): Outcome => {
  if ('failure' in answer) return { outcome: 'failed', reason: answer.failure }
  const { status, retryAfterMs } = answer
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  if (goneStatuses.includes(status)) return { outcome: 'gone', reason: `answered ${status}: it is gone` }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', reason: `answered ${status}: redirects are not followed` }
  return { outcome: 'failed', reason: `answered ${status}`, retryAfterMs }
}
