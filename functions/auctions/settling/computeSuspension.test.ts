import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { computeMaxUnsettled, computeSuspension, isProven } from './computeSuspension.ts'
import type { JudgedAttempt } from './judgeAttempts.ts'

const uid = (n: number): Hex => `0x${n.toString(16).padStart(112, '0')}`
let next = 0
/** Each attempt has an order of its own unless one is given. */
const attempt = (outcome: JudgedAttempt['outcome'], changes: Partial<JudgedAttempt> = {}): JudgedAttempt => {
  next += 1
  return { outcome, orders: [uid(next)], isExcused: false, isReorganised: false, ...changes }
}
const [success, timeout, reverted, mismatch] = [
  (changes?: Partial<JudgedAttempt>) => attempt('success', changes),
  (changes?: Partial<JudgedAttempt>) => attempt('timeout', changes),
  (changes?: Partial<JudgedAttempt>) => attempt('reverted', changes),
  (changes?: Partial<JudgedAttempt>) => attempt('mismatch', changes),
]
const minute = 60_000

describe('computeMaxUnsettled', () => {
  test('allows one unsettled win until the first success', () => {
    expect(computeMaxUnsettled([], undefined)).toBe(1)
    expect(computeMaxUnsettled([timeout()], undefined)).toBe(1)
    // a solver that is suspended for reverts may still win
    expect(computeMaxUnsettled([reverted()], { level: 1 })).toBe(1)
    expect(computeMaxUnsettled([reverted(), reverted(), reverted()], undefined)).toBe(1)
  })

  test('then allows as many unsettled wins as would suspend the solver, and one more for each success', () => {
    expect(computeMaxUnsettled([success()], undefined)).toBe(4)
    expect(computeMaxUnsettled([timeout(), timeout()], undefined)).toBe(1)
    expect(computeMaxUnsettled([], { level: 2 })).toBe(1)
    expect(computeMaxUnsettled([success(), success()], { level: 2 })).toBe(5)
    expect(computeMaxUnsettled([timeout(), success(), success()], undefined)).toBe(4)
  })
})

describe('computeSuspension', () => {
  test('suspends a proven solver for a minute after three failed wins in a row', () => {
    expect(computeSuspension([timeout(), timeout(), success()], undefined)).toBeUndefined()
    expect(computeSuspension([timeout(), timeout(), timeout(), success()], undefined)).toEqual({
      durationMs: minute,
      reason: 'timeout',
      failures: 3,
      level: 1,
    })
  })

  test('suspends an unproven solver after one time-out or mismatch, but after three reverts', () => {
    expect(computeSuspension([timeout()], undefined)).toMatchObject({ durationMs: minute, failures: 1, level: 1 })
    expect(computeSuspension([mismatch()], undefined)).toMatchObject({ reason: 'mismatch' })
    expect(computeSuspension([reverted(), reverted()], undefined)).toBeUndefined()
    expect(computeSuspension([reverted(), timeout(), reverted()], undefined)).toMatchObject({ reason: 'timeout' })
    expect(computeSuspension([reverted(), reverted(), reverted()], undefined)).toMatchObject({ reason: 'reverted' })
  })

  test('suspends no unproven solver for an excused time-out', () => {
    expect(computeSuspension([timeout({ isExcused: true })], undefined)).toBeUndefined()
  })

  test('counts from the newest success on', () => {
    expect(computeSuspension([timeout(), timeout(), success(), timeout()], undefined)).toBeUndefined()
    expect(computeSuspension([success(), timeout(), timeout(), timeout()], undefined)).toBeUndefined()
  })

  test.each([
    [[reverted(), reverted(), reverted()], 'reverted'],
    [[reverted(), timeout(), reverted()], 'timeout'],
    [[reverted(), timeout(), mismatch()], 'mismatch'],
  ])('names the worst kind of failure', (attempts, reason) => {
    expect(computeSuspension(attempts, undefined)?.reason).toBe(reason)
  })

  test('counts failed wins of the same orders once, and each win of just-in-time orders alone', () => {
    const same = { orders: [uid(1_000)] }
    expect(computeSuspension([timeout(same), timeout(same), timeout(same), success()], undefined)).toBeUndefined()
    const both = { orders: [uid(1_000), uid(1_001)] }
    expect(computeSuspension([timeout(same), timeout(both), timeout(), success()], undefined)?.failures).toBe(3)
    const none = { orders: [] }
    expect(computeSuspension([timeout(none), timeout(none), timeout(none), success()], undefined)?.failures).toBe(3)
  })

  test('skips excused failures without ending the row', () => {
    const excused = { isExcused: true }
    expect(computeSuspension([reverted(), reverted(excused), reverted()], undefined)).toBeUndefined()
    expect(computeSuspension([reverted(), reverted(excused), reverted(), reverted()], undefined)?.failures).toBe(3)
  })

  describe('when the chain was reorganised during wins', () => {
    const late = () => timeout({ isReorganised: true })

    test('excuses one time-out of a row, and one more for each success', () => {
      expect(computeSuspension([late(), late(), timeout(), timeout(), success()], undefined)).toBeUndefined()
      expect(computeSuspension([late(), late(), late(), timeout(), timeout(), success()], undefined)?.failures).toBe(3)
      expect(computeSuspension([timeout(), timeout(), timeout(), late(), success()], undefined)?.failures).toBe(3)
    })

    test('excuses three of a row at most', () => {
      const successes = Array.from({ length: 20 }, () => success())
      const row = (length: number) => Array.from({ length }, late)
      expect(computeSuspension([...row(5), ...successes], undefined)).toBeUndefined()
      expect(computeSuspension([...row(6), ...successes], undefined)?.failures).toBe(3)
    })

    test('excuses one of an unproven solver', () => {
      expect(computeSuspension([late()], undefined)).toBeUndefined()
      expect(computeSuspension([late(), late()], undefined)).toMatchObject({ reason: 'timeout', failures: 1 })
      expect(computeSuspension([late()], { level: 1 })).toBeUndefined()
      expect(computeSuspension([late(), late()], { level: 1 })).toMatchObject({ level: 2 })
    })
  })

  test('suspends a solver on probation after one failed win, for twice as long, at most a day', () => {
    expect(computeSuspension([timeout()], { level: 1 })).toMatchObject({ durationMs: 2 * minute, level: 2 })
    expect(computeSuspension([reverted()], { level: 1 })).toMatchObject({ durationMs: 2 * minute, level: 2 })
    expect(computeSuspension([timeout()], { level: 5 })).toMatchObject({ durationMs: 32 * minute, level: 6 })
    expect(computeSuspension([timeout()], { level: 40 })?.durationMs).toBe(24 * 60 * minute)
    expect(computeSuspension([], { level: 5 })).toBeUndefined()
  })

  test('lowers the level by one for each success', () => {
    expect(computeSuspension([timeout(), success(), success()], { level: 3 })).toMatchObject({ level: 2 })
    expect(computeSuspension([timeout(), success(), success()], { level: 2 })).toBeUndefined()
  })
})

test('a solver is proven once it has settled a win', () => {
  expect(isProven([])).toBe(false)
  expect(isProven([reverted(), timeout()])).toBe(false)
  expect(isProven([timeout(), success(), timeout()])).toBe(true)
})
