/** Next multiple of an interval, Unix milliseconds: runs fall on the same times, independent of the start. */
export const computeNextAlarm = (now: number, intervalMs: number): number =>
  (Math.floor(now / intervalMs) + 1) * intervalMs
