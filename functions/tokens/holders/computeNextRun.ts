/** Result of an index run. */
export type RunResult = 'complete' | 'partial' | 'failed'

/** Delay of the next run, milliseconds. */
const pausesMs: { [result in RunResult]: number } = { complete: 60_000, partial: 0, failed: 10_000 }
/** Longest delay. */
export const maxPauseMs = Math.max(...Object.values(pausesMs))
/** How long an index follows the chain after the last request, milliseconds. */
const followedMs = 3_600_000

/**
 * Time of the next scheduled run of an index.
 * @param requestedAt time of the last request, Unix milliseconds like `now` and the result
 * @returns undefined when the last request is too long ago
 */
export const computeNextRun = (result: RunResult, requestedAt: number, now: number): number | undefined =>
  now - requestedAt > followedMs ? undefined : now + pausesMs[result]
