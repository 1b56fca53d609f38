/** Milliseconds; short, because the page is open and the failure may have passed. */
const maxDelayMs = 60_000

/**
 * Time until the next attempt: doubles with each failure up to a minute, and is never shorter than the API says.
 * @param everyMs between two attempts that succeed
 * @param failures in a row, the newest included
 * @param retryAfterMs of the newest failure
 * @returns milliseconds
 */
export const computeRetryDelay = (everyMs: number, failures: number, retryAfterMs = 0): number =>
  Math.max(everyMs, Math.min(everyMs * 2 ** failures, maxDelayMs), retryAfterMs)
