import type { DeliveryOutcome } from './channel.ts'
import type { BoundedAnswer } from './postBounded.ts'

/**
 * Maps a response to the outcome of the delivery.
 * @param goneStatuses statuses of targets that no longer exist
 */
export const toOutcome = (
  answer: BoundedAnswer | { failure: string },
  goneStatuses: readonly number[] = [],
): DeliveryOutcome => {
  if ('failure' in answer) return { outcome: 'failed', reason: answer.failure }
  const { status, retryAfterMs } = answer
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  if (goneStatuses.includes(status))
    return { outcome: 'gone', reason: `responded with ${status}: the target no longer exists` }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', reason: `responded with ${status}: redirects are not followed` }
  return { outcome: 'failed', reason: `responded with ${status}`, retryAfterMs }
}
