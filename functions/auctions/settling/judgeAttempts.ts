import type { Hex } from 'viem'

/** How a win failed. A failure reported by the driver counts as a revert. */
export type FailureKind = 'timeout' | 'mismatch' | 'reverted'

/** A completed settlement attempt of a solver. */
export type JudgedAttempt = {
  outcome: 'success' | FailureKind
  /** stored orders in it; just-in-time orders belong to the solver */
  orders: readonly Hex[]
  /** whether the failure is not the solver's fault, see `selectJudgedAttempts` */
  isExcused: boolean
  /** whether it is a failure other than a mismatch during which a reorganisation replaced blocks */
  isReorganised: boolean
}

/** State left by a solver's newest suspension. */
export type FormerSuspension = { level: number }

/** Number of consecutive failed wins that suspend a solver. */
const failuresToSuspend = 3

/** Maximum number of consecutive failed wins excused by reorganisations. */
const maxReorganised = 3

/** Number of consecutive failed wins that suspend a solver at a level. */
export const countToSuspend = (level: number): number => (level > 0 ? 1 : failuresToSuspend)

/**
 * Counts the attempts of a solver since its newest suspension.
 * @returns `kinds`: consecutive failures, newest first
 */
export const judgeAttempts = (attempts: readonly JudgedAttempt[], former: FormerSuspension | undefined) => {
  const successes = attempts.filter(({ outcome }) => outcome === 'success').length
  const level = Math.max(0, (former?.level ?? 0) - successes)
  const kinds: FailureKind[] = []
  const seen = new Set<Hex>()
  let excuses = Math.min(successes + 1, maxReorganised)
  for (const { outcome, orders, isExcused, isReorganised } of attempts) {
    if (outcome === 'success') break
    const isRepetition = orders.length > 0 && orders.every((uid) => seen.has(uid))
    if (isExcused || isRepetition) continue
    if (isReorganised && excuses > 0) {
      excuses -= 1
      continue
    }
    kinds.push(outcome)
    for (const uid of orders) seen.add(uid)
  }
  return { kinds, level, successes }
}
