/**
 * What `find` resolves to, kept for a while; a failure is not. Requests that come meanwhile ask for themselves: in workerd
 * none may wait for another one's I/O.
 * @param now Unix milliseconds
 */
export const keepFor = <T>(lifetimeMs: number, now: () => number, find: () => Promise<T>): (() => Promise<T>) => {
  let kept: { value: T; until: number } | undefined
  return async () => {
    if (kept && now() < kept.until) return kept.value
    const value = await find()
    kept = { value, until: now() + lifetimeMs }
    return value
  }
}
