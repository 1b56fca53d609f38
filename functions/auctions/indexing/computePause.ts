import { BaseError, LimitExceededRpcError } from 'viem'
import { RateLimitError } from '#shared/chain/RateLimitError.ts'

const firstPauseMs = 1_000
const maxPauseMs = 30_000

/** No pause is longer than the longest one, whatever the clock does meanwhile. */
export const isPaused = (until: number, now: number): boolean => now < until && until - now <= maxPauseMs

/**
 * How long to leave a node alone that says it is asked too much: what it says itself, else a second, doubled each time;
 * half a minute at most.
 * @param times how often in a row it has said so before
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
