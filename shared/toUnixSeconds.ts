/** @param now Unix milliseconds, as `Date.now` returns them */
export const toUnixSeconds = (now: number): number => Math.floor(now / 1_000)
