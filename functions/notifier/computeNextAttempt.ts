const firstDelayMs = 5_000
const maxDelayMs = 60 * 60 * 1000
/** Undelivered messages are dead after this time, and older notifications are not sent. */
export const givenUpAfterMs = 24 * 60 * 60 * 1000

export type FailedDelivery = {
  /** attempts made, this one included */
  attempt: number
  createdAt: Date
  /** `Retry-After` of the target */
  retryAfterMs: number | undefined
}

/**
 * Time of the next attempt: exponential backoff from 5 seconds to at most an hour. A random part of up to half the delay is
 * subtracted, so that simultaneous failures are not retried together.
 * @param random from 0 to below 1
 * @returns null when it is more than a day after the creation of the delivery
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
