const firstDelayMs = 5_000
const maxDelayMs = 60 * 60 * 1000
/** A delivery that did not arrive by then is dead. */
const givenUpAfterMs = 24 * 60 * 60 * 1000

export type FailedDelivery = {
  /** attempts made, this one included */
  attempt: number
  createdAt: Date
  /** how long the target asks to be left alone */
  retryAfterMs: number | undefined
}

/**
 * When to try again: after 5 seconds, twice as long after each further failure, an hour at most; a random half of it is left
 * out, so that what failed together does not return together.
 * @param random from 0 to below 1
 * @returns null when that is more than a day after the delivery was written
 */
export const computeNextAttempt = (
  { attempt, createdAt, retryAfterMs = 0 }: FailedDelivery,
  now: Date,
  random: number,
): Date | null => {
  const backoffMs = Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs)
  const delayMs = Math.max(backoffMs * (0.5 + random / 2), Math.min(retryAfterMs, maxDelayMs))
  const at = now.getTime() + delayMs
  return at > createdAt.getTime() + givenUpAfterMs ? null : new Date(at)
}
