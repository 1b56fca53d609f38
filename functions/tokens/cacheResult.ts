/** Cache rules of a result. */
export type CacheRules<Result> = {
  /** milliseconds */
  lifetimeMs: (result: Result) => number
  /** whether a result is a failure */
  isFailure: (result: Result) => boolean
  /** time after `lifetimeMs` in which a result is used when its renewal fails, milliseconds; 0 for missing items */
  staleMs: (result: Result) => number
}

/**
 * Caches the result of one lookup: concurrent requests share a lookup in flight, and while lookups fail, the last
 * result is used. Failures are cached, too, so that a failing source is not queried by every request.
 * @param now Unix milliseconds
 */
export const cacheResult = <Result>(
  find: () => Promise<Result>,
  { lifetimeMs, isFailure, staleMs }: CacheRules<Result>,
  now: () => number,
): (() => Promise<Result>) => {
  let cached: { result: Result; at: number } | undefined
  let failure: { result: Result; at: number } | undefined
  let lookup: Promise<Result> | undefined

  const findStale = (): Result | undefined => {
    if (!cached || now() - cached.at >= lifetimeMs(cached.result) + staleMs(cached.result)) return undefined
    return cached.result
  }

  const renew = async (): Promise<Result> => {
    const result = await find()
    if (isFailure(result)) {
      failure = { result, at: now() }
      return findStale() ?? result
    }
    failure = undefined
    cached = { result, at: now() }
    return result
  }

  return async () => {
    if (cached && now() - cached.at < lifetimeMs(cached.result)) return cached.result
    if (failure && now() - failure.at < lifetimeMs(failure.result)) return findStale() ?? failure.result
    lookup ??= renew().finally(() => {
      lookup = undefined
    })
    return lookup
  }
}
