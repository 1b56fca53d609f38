/** The next multiple of an interval: whenever it began, work is then done at the same times, and none is left out. Unix milliseconds. */
export const computeNextAlarm = (now: number, intervalMs: number): number =>
  (Math.floor(now / intervalMs) + 1) * intervalMs
