/** How long answers are used again. */
export type KeepRules<Answer> = {
  /** milliseconds */
  lifetimeMs: (answer: Answer) => number
  /** whether an answer is only the lack of one */
  isFailure: (answer: Answer) => boolean
  /** for how much longer an answer stands that cannot be renewed, milliseconds; 0 when it says that there is nothing */
  staleMs: (answer: Answer) => number
}

/**
 * The answer to one question, kept for a while: requests that come while it is being looked up wait for the same look-up, and
 * while every look-up fails, the last answer stands. A failure has a lifetime, too: who has just refused is not asked again by
 * everybody who wants to know.
 * @param now Unix milliseconds
 */
export const keepAnswer = <Answer>(
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
