import {
  countToSuspend,
  type FailureKind,
  type FormerSuspension,
  type JudgedAttempt,
  judgeAttempts,
} from './judgeAttempts.ts'

export type SuspensionVerdict = {
  durationMs: number
  /** `reverted` only when all failures were reverts */
  reason: FailureKind
  /** consecutive failed wins */
  failures: number
  level: number
}
const firstDurationMs = 60_000
const maxDurationMs = 24 * 60 * 60_000

/**
 * The participation rule: three consecutive failed wins suspend a solver, for 1, 2, 4, … minutes, at most a day. After
 * a suspension the solver is on probation: the next failed win suspends it again, for twice as long. Each success
 * lowers the level by one. Until its first success, and again after each suspension, a solver is unproven: one time-out
 * or mismatch suspends it, but reverts alone do not, because hostile orders can cause them. Failed wins of the same
 * orders count once. Excused ones are ignored: they neither extend nor end a series. Reorganisations excuse one failed
 * win, plus one for each success, at most `maxReorganised` consecutive ones.
 *
 * Bound: a solver that never settles has at most one failed win on orders with other solutions (see
 * `computeMaxUnsettled`) before its first suspension and one after each later one, hence at most 2 + log2(t) in t
 * minutes; one that only reverts has two more.
 * @param attempts since the newest suspension began, newest first
 * @returns undefined when the solver participates
 */
export const computeSuspension = (
  attempts: readonly JudgedAttempt[],
  former: FormerSuspension | undefined,
): SuspensionVerdict | undefined => {
  const { kinds, level, successes } = judgeAttempts(attempts, former)
  const isDisproved = successes === 0 && kinds.some((kind) => kind !== 'reverted')
  if (!isDisproved && kinds.length < countToSuspend(level)) return undefined
  return {
    durationMs: Math.min(firstDurationMs * 2 ** level, maxDurationMs),
    reason: kinds.find((kind) => kind === 'mismatch') ?? kinds.find((kind) => kind === 'timeout') ?? 'reverted',
    failures: kinds.length,
    level: level + 1,
  }
}

/** Whether a solver has settled a win since its newest suspension. */
export const isProven = (attempts: readonly JudgedAttempt[]): boolean =>
  attempts.some(({ outcome }) => outcome === 'success')

/**
 * Maximum number of unsettled wins before a solver yields to others: one while it is unproven; then the number of
 * failures that would suspend it, plus one for each success. Without this bound a solver that never settles would win
 * every order until the first deadline.
 */
export const computeMaxUnsettled = (
  attempts: readonly JudgedAttempt[],
  former: FormerSuspension | undefined,
): number => {
  const { kinds, level, successes } = judgeAttempts(attempts, former)
  const remaining = Math.max(0, countToSuspend(level) - kinds.length)
  return successes === 0 ? 1 : remaining + successes
}
