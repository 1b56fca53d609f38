/**
 * Caches what `find` resolves to for `lifetimeMs`; a failure is not cached. Concurrent calls do not share one `find`: in
 * workerd no request may wait for another one's I/O.
 * @param now Unix milliseconds
 */
export const cacheFor = <T>(lifetimeMs: number, now: () => number, find: () => Promise<T>): (() => Promise<T>) => {
  let cached: { value: T; until: number } | undefined
  return async () => {
    if (cached && now() < cached.until) return cached.value
    const value = await find()
    cached = { value, until: now() + lifetimeMs }
    return value
  }
}
