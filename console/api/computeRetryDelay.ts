/** Milliseconds; somebody looks at the page, and what has failed for long may be there again. */
const maxDelayMs = 60_000

/**
 * How long to wait before something is asked again: twice as long after each failure up to a minute, and never shorter than
 * the API says.
 * @param everyMs between two attempts that succeed
 * @param failures in a row, the newest included
 * @param retryAfterMs of the newest failure
 * @returns milliseconds
 */
export const computeRetryDelay = (everyMs: number, failures: number, retryAfterMs = 0): number =>
  Math.max(everyMs, Math.min(everyMs * 2 ** failures, maxDelayMs), retryAfterMs)
