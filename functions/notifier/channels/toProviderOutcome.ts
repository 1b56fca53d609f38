import type { DeliveryOutcome } from './channel.ts'
import type { BoundedResponse } from './postBounded.ts'
import { toOutcome } from './toOutcome.ts'

/** Statuses that reject one message, possibly because of its target; with any other the provider fails, or rejects the account. */
const refusals = [400, 413, 422]

/**
 * Maps a provider's response to the outcome of the delivery: a failing provider, or a rejected API key, is not the target's
 * fault.
 * @param goneStatuses statuses of targets that no longer exist
 */
export const toProviderOutcome = (
  response: BoundedResponse | { failure: string },
  goneStatuses: readonly number[] = [],
): DeliveryOutcome => {
  const outcome = toOutcome(response, goneStatuses)
  const isRefused = 'status' in response && refusals.includes(response.status)
  return outcome.outcome === 'failed' && !isRefused ? { ...outcome, isOurFault: true } : outcome
}
