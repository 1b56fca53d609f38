/** Cache rules of a result. */
export type KeepRules<Answer> = {
  /** milliseconds */
  lifetimeMs: (answer: Answer) => number
  /** whether a result is a failure */
  isFailure: (answer: Answer) => boolean
  /** time after `lifetimeMs` in which a result is used when its renewal fails, milliseconds; 0 for missing items */
  staleMs: (answer: Answer) => number
}

/**
 * Caches the result of one lookup: concurrent requests share a lookup in flight, and while lookups fail, the last result is
 * used. Failures are cached, too, so that a failing source is not queried by every request.
 * @param now Unix milliseconds
 */
export const cacheResult = <Answer>(
  find: () => Promise<Answer>,
  { lifetimeMs, isFailure, staleMs }: KeepRules<Answer>,
  now: () => number,
): (() => Promise<Answer>) => {
  let kept: { answer: Answer; at: number } | undefined
  let failure: { answer: Answer; at: number } | undefined
  let lookup: Promise<Answer> | undefined

  const findStale = (): Answer | undefined => {
    if (!kept || now() - kept.at >= lifetimeMs(kept.answer) + staleMs(kept.answer)) return undefined
    return kept.answer
  }

  const renew = async (): Promise<Answer> => {
    const answer = await find()
    if (isFailure(answer)) {
      failure = { answer, at: now() }
      return findStale() ?? answer
    }
    failure = undefined
    kept = { answer, at: now() }
    return answer
  }

  return async () => {
    if (kept && now() - kept.at < lifetimeMs(kept.answer)) return kept.answer
    if (failure && now() - failure.at < lifetimeMs(failure.answer)) return findStale() ?? failure.answer
    lookup ??= renew().finally(() => {
      lookup = undefined
    })
    return lookup
  }
}
