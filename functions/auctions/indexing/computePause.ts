import { BaseError, LimitExceededRpcError } from 'viem'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'

const firstPauseMs = 1_000
const maxPauseMs = 30_000

/** Whether a pause is active; one beyond the maximum is ignored, because the system time changed. */
export const isPaused = (until: number, now: number): boolean => now < until && until - now <= maxPauseMs

/**
 * Pause after a rate limit error: the time stated by the node, else one second, doubled each time; at most half a
 * minute.
 * @param times number of previous consecutive rate limit errors
 * @returns milliseconds; 0 for any other error
 */
export const computePause = (error: unknown, times: number): number => {
  const limit = findRateLimit(error)
  if (!limit) return 0
  const own = limit instanceof RateLimitError ? limit.retryAfterMs : undefined
  return Math.min(own ?? firstPauseMs * 2 ** Math.min(times, 10), maxPauseMs)
}

const findRateLimit = (error: unknown): unknown => {
  if (!(error instanceof BaseError)) return undefined
  return error.walk((cause) => cause instanceof RateLimitError || cause instanceof LimitExceededRpcError)
}
