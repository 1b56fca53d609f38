import { describe, expect, test } from 'vitest'
import {
  computeLevel,
  computeMaxUnsettled,
  computeSuspension,
  describeSuspension,
  faultWindowMs,
  type JudgedAttempt,
  type Suspension,
} from './computeSuspension.ts'

const now = 1_800_000_000_000
const minute = 60_000
const day = 24 * 60 * minute
const success: JudgedAttempt = { outcome: 'success', blame: null, endedAt: now }
const mismatch: JudgedAttempt = { outcome: 'mismatch', blame: 'solver', endedAt: now }
const failed = (blame: JudgedAttempt['blame'], ageMs = 0, outcome: JudgedAttempt['outcome'] = 'timeout') => ({
  ...{ outcome, blame, endedAt: now - ageMs },
})
const fault = failed('solver')
const former = (level: number, endedMs = 0): Suspension => ({ reason: 'timeout', level, until: now - endedMs })
const suspend = (attempts: JudgedAttempt[], last?: Suspension) => computeSuspension(attempts, last, now)

describe('computeSuspension', () => {
  test('suspends a solver at once when a settlement paid less than promised, whatever it settled before', () => {
    const verdict = { reason: 'mismatch', durationMs: minute, failures: 1, level: 1 }
    expect(suspend([mismatch])).toEqual(verdict)
    expect(suspend([...Array(40).fill(success), mismatch, ...Array(9).fill(success)])).toEqual(verdict)
    // long ago: it was not judged then
    expect(suspend([{ ...mismatch, endedAt: now - 9 * day }])).toEqual(verdict)
  })

  test('suspends an unproven solver for its first fault, and a proven one for the third within an hour', () => {
    expect(suspend([fault])).toMatchObject({ reason: 'timeout', failures: 1 })
    expect(suspend([success, fault, fault])).toBeUndefined()
    expect(suspend([success, fault, success, fault, success, fault])).toMatchObject({ failures: 3 })
    expect(suspend([success, fault, fault, failed('solver', faultWindowMs)])).toBeUndefined()
    expect(suspend([success, fault, fault, failed('solver', faultWindowMs - 1)])).toMatchObject({ failures: 3 })
  })

  test('suspends no solver for failures of orders, of unknown cause, or that are not attributed yet', () => {
    for (const blame of ['orders', 'none', null] as const)
      for (const outcome of ['timeout', 'reverted'] as const)
        expect(suspend(Array(50).fill(failed(blame, 0, outcome)))).toBeUndefined()
  })

  test('doubles with each suspension up to a day, and halves only with days', () => {
    const durationOf = (last?: Suspension) => suspend([mismatch], last)?.durationMs
    expect(durationOf()).toBe(minute)
    expect(durationOf(former(1))).toBe(2 * minute)
    expect(durationOf(former(4))).toBe(16 * minute)
    expect(durationOf(former(4, day - 1))).toBe(16 * minute)
    expect(durationOf(former(4, 2 * day))).toBe(4 * minute)
    expect(durationOf(former(4, 99 * day))).toBe(minute)
    expect(durationOf(former(20))).toBe(day)
    expect(suspend([...Array(49).fill(success), mismatch], former(4))).toMatchObject({ level: 5 })
    // the clock of the machine was moved back
    expect(computeLevel(former(4, -day), now)).toBe(4)
  })
})

describe('computeMaxUnsettled', () => {
  test('allows an unproven solver nothing beside one win, and a proven one anything', () => {
    expect(computeMaxUnsettled([], undefined, now)).toBe(0n)
    expect(computeMaxUnsettled([failed('none')], former(1), now)).toBe(0n)
    expect(computeMaxUnsettled([success], undefined, now)).toBeUndefined()
    expect(computeMaxUnsettled([success, failed('orders')], undefined, now)).toBeUndefined()
  })

  test('halves with each earlier suspension, and ignores failures that a stranger can cause', () => {
    const wei = 10n ** 17n
    expect(computeMaxUnsettled([success, ...Array(49).fill(failed('none'))], undefined, now)).toBeUndefined()
    expect(computeMaxUnsettled([success], former(1), now)).toBe(wei)
    expect(computeMaxUnsettled([success], former(3), now)).toBe(wei / 4n)
    expect(computeMaxUnsettled([success], former(3, day), now)).toBe(wei / 2n)
    expect(computeMaxUnsettled([success], former(99), now)).toBe(0n)
  })
})

test('describeSuspension names the end, the cause and the debt', () => {
  expect(describeSuspension({ reason: 'mismatch', until: 0 })).toBe(
    'suspended until 1970-01-01T00:00:00.000Z: a settlement paid less than promised',
  )
  expect(describeSuspension({ reason: 'mismatch', until: 0 }, 12n * 10n ** 15n)).toMatch(
    /: a settlement paid less than promised, paid 0\.012 ether less than promised$/,
  )
})
