import type { DeliveryOutcome } from './channel.ts'
import type { BoundedResponse } from './postBounded.ts'

/**
 * Maps a response to the outcome of the delivery.
 * @param goneStatuses statuses of targets that no longer exist
 */
export const toOutcome = (
  response: BoundedResponse | { failure: string },
  goneStatuses: readonly number[] = [],
): DeliveryOutcome => {
  if ('failure' in response) return { outcome: 'failed', reason: response.failure }
  const { status, retryAfterMs } = response
  if (status >= 200 && status < 300) return { outcome: 'delivered' }
  if (goneStatuses.includes(status))
    return { outcome: 'gone', reason: `responded with ${status}: the target no longer exists` }
  if (status >= 300 && status < 400)
    return { outcome: 'failed', reason: `responded with ${status}: redirects are not followed` }
  return { outcome: 'failed', reason: `responded with ${status}`, retryAfterMs }
}
