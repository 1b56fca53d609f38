import type { Outcome } from './channel.ts'
import type { BoundedAnswer } from './postBounded.ts'
import { toOutcome } from './toOutcome.ts'

/** With these a provider refuses one message, perhaps for its target; with any other it fails, or refuses us. */
const refusals = [400, 413, 422]

/**
 * What the answer of somebody means who delivers for us: that he fails, or does not know us, is not the target's fault.
 * @param goneStatuses with which he says that the target is no more
 */
export const toProviderOutcome = (
  answer: BoundedAnswer | { failure: string },
  goneStatuses: readonly number[] = [],
): Outcome => {
  const outcome = toOutcome(answer, goneStatuses)
  const isRefused = 'status' in answer && refusals.includes(answer.status)
  return outcome.outcome === 'failed' && !isRefused ? { ...outcome, isOurFault: true } : outcome
}
