export type FirstWaits = {
  /** Waits for background work, at most `milliseconds` and what is left for the cuts of this minute. */
  waitFor: (work: Promise<unknown>, milliseconds: number) => Promise<void>
}

const windowMs = 60_000
/** Time that the cuts of a minute wait together. */
export const maxWaitMs = 4_000

/**
 * Waits of cuts for what strangers can cause in every block: prices of new tokens and offers for new amounts, or, with a
 * bound of its own, evaluations of conditional orders. Anyone can place orders that need them, so the waits of a minute have
 * a bound together, and an honest book is cut without them.
 * @param now Unix milliseconds
 */
export const createFirstWaits = (now: () => number): FirstWaits => {
  let since = now()
  let spentMs = 0
  return {
    waitFor: async (work, milliseconds) => {
      const startedAt = now()
      if (Math.abs(startedAt - since) >= windowMs) [since, spentMs] = [startedAt, 0]
      const most = Math.min(milliseconds, maxWaitMs - spentMs)
      if (most <= 0) return
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, most)
      await Promise.race([work, late.promise])
      clearTimeout(timer)
      spentMs += Math.min(most, Math.abs(now() - startedAt))
    },
  }
}
