/** Milliseconds without a new status after which its figures are called old; one arrives every five seconds. */
export const staleMs = 12_000

/** `stale`: no new status in time; `offline`: the newest request failed */
export type Freshness = 'current' | 'stale' | 'offline'

/**
 * Returns how well the displayed status describes the present.
 * @param arrivedAt of the newest status with another time than before, by the browser's clock, Unix milliseconds
 */
export const computeFreshness = (arrivedAt: number, hasFailed: boolean, now: number): Freshness => {
  if (hasFailed) return 'offline'
  return now - arrivedAt > staleMs ? 'stale' : 'current'
}
