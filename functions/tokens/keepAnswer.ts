/** How long answers are used again. */
export type KeepRules<Answer> = {
  /** milliseconds; 0 for a failure: the next request asks again */
  lifetimeMs: (answer: Answer) => number
  /** whether an answer is only the lack of one */
  isFailure: (answer: Answer) => boolean
  /** for how much longer an answer stands that cannot be renewed, milliseconds; 0 when it says that there is nothing */
  staleMs: (answer: Answer) => number
}

/**
 * The answer to one question, kept for a while: requests that come while it is being looked up wait for the same look-up, and
 * while every look-up fails, the last answer stands.
 * @param now Unix milliseconds
 */
export const keepAnswer = <Answer>(
  find: () => Promise<Answer>,
  { lifetimeMs, isFailure, staleMs }: KeepRules<Answer>,
  now: () => number,
): (() => Promise<Answer>) => {
  let kept: { answer: Answer; at: number } | undefined
  let lookup: Promise<Answer> | undefined

  const isKept = (extraMs: (answer: Answer) => number): boolean =>
    kept !== undefined && now() - kept.at < lifetimeMs(kept.answer) + extraMs(kept.answer)

  const renew = async (): Promise<Answer> => {
    const answer = await find()
    if (isFailure(answer) && kept && !isFailure(kept.answer) && isKept(staleMs)) return kept.answer
    kept = { answer, at: now() }
    return answer
  }

  return async () => {
    if (kept && isKept(() => 0)) return kept.answer
    lookup ??= renew().finally(() => {
      lookup = undefined
    })
    return lookup
  }
}
