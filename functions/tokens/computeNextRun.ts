/** How far a run of an index came. */
export type RunResult = 'complete' | 'partial' | 'failed'

/** Milliseconds to the next run. */
const pausesMs: { [result in RunResult]: number } = { complete: 60_000, partial: 0, failed: 10_000 }
/** For how long after the last request an index follows the chain by itself, milliseconds. */
const followedMs = 3_600_000

/**
 * When an index runs next without being asked to.
 * @param askedAt when somebody last asked, Unix milliseconds like `now` and the result
 * @returns undefined when nobody has asked for too long
 */
export const computeNextRun = (result: RunResult, askedAt: number, now: number): number | undefined =>
  now - askedAt > followedMs ? undefined : now + pausesMs[result]
