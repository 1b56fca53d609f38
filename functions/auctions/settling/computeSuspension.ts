import { formatEther } from 'viem'

/** Whose fault a failed settlement is, see `findBlame`. */
export type BlamedParty = 'solver' | 'orders' | 'none'

/** An ended attempt of a solver. */
export type JudgedAttempt = {
  outcome: 'success' | 'mismatch' | 'timeout' | 'reverted'
  /** null: not a failure, or not yet attributed */
  blame: BlamedParty | null
  /** Unix milliseconds */
  endedAt: number
}

/** A solver's newest suspension; `until` in Unix milliseconds. */
export type Suspension = { reason: SuspensionReason; level: number; until: number }

/** `mismatch`: a settlement paid less than promised. `timeout`: wins were not settled although nothing prevented it. */
export type SuspensionReason = 'timeout' | 'mismatch'

export type SuspensionVerdict = { durationMs: number; reason: SuspensionReason; failures: number; level: number }

const firstDurationMs = 60_000
const dayMs = 24 * 60 * 60_000
/** Period in which faults of a solver are counted. */
export const faultWindowMs = 60 * 60_000
/** Number of faults within `faultWindowMs` that suspend a proven solver. */
const faultsToSuspend = 3

/** Levels pass with time alone, one per day: a solver that trades with accounts of its own cannot repair its record. */
export const computeLevel = (former: Suspension | undefined, now: number): number =>
  former ? Math.max(0, former.level - Math.max(0, Math.floor((now - former.until) / dayMs))) : 0

/**
 * The participation rule. Only what a solver alone controls counts: a settlement that paid less than promised suspends
 * it at once. A win that it did not settle although nothing prevented it suspends it when it is unproven, else the
 * third within an hour. A suspension takes 1, 2, 4, … minutes, at most a day, by the number of earlier ones, of which
 * each day forgets one.
 *
 * Bound: successes repair nothing, so a solver that pays less whenever it may does so in at most 1 + log2(t) auctions
 * in t minutes.
 * @param attempts since the newest suspension began
 * @param now Unix milliseconds
 * @returns undefined when the solver participates
 */
export const computeSuspension = (
  attempts: readonly JudgedAttempt[],
  former: Suspension | undefined,
  now: number,
): SuspensionVerdict | undefined => {
  const debts = attempts.filter(({ outcome }) => outcome === 'mismatch').length
  const faults = attempts.filter(
    ({ outcome, blame, endedAt }) =>
      outcome !== 'success' && outcome !== 'mismatch' && blame === 'solver' && Math.abs(now - endedAt) < faultWindowMs,
  ).length
  if (debts === 0 && faults < (isProven(attempts) ? faultsToSuspend : 1)) return undefined
  const level = computeLevel(former, now)
  return {
    durationMs: Math.min(firstDurationMs * 2 ** level, dayMs),
    reason: debts > 0 ? 'mismatch' : 'timeout',
    failures: debts + faults,
    level: level + 1,
  }
}

/** Whether a solver has settled a win since its newest suspension. */
export const isProven = (attempts: readonly JudgedAttempt[]): boolean =>
  attempts.some(({ outcome }) => outcome === 'success')

/** Unsettled score that a proven solver could lose at level 1, wei. */
const distrustedScore = 10n ** 17n

/**
 * Score that a solver may have unsettled beside one win, wei: nothing until it has settled a win, and less with each
 * earlier suspension. Failures of unknown cause do not count: a stranger can cause them.
 * @returns undefined without a limit
 */
export const computeMaxUnsettled = (
  attempts: readonly JudgedAttempt[],
  former: Suspension | undefined,
  now: number,
): bigint | undefined => {
  if (!isProven(attempts)) return 0n
  const level = computeLevel(former, now)
  return level === 0 ? undefined : distrustedScore >> BigInt(Math.min(level - 1, 64))
}

const causes = {
  timeout: 'wins were not settled although nothing prevented it',
  mismatch: 'a settlement paid less than promised',
} as const

/**
 * Why a solver is suspended, and until when.
 * @param debt unpaid, wei
 */
export const describeSuspension = ({ reason, until }: Pick<Suspension, 'reason' | 'until'>, debt = 0n): string =>
  `suspended until ${new Date(until).toISOString()}: ${causes[reason]}${describeDebt(debt)}`

/** Empty without a debt. */
export const describeDebt = (debt: bigint): string =>
  debt > 0n ? `, paid ${formatEther(debt)} ether less than promised` : ''
