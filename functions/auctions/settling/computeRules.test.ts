import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { maxBackOffBlocks } from '#shared/orders/computeNextSettlementBlock.ts'
import { computeRules, type RuleFacts } from './computeRules.ts'
import type { Suspension } from './computeSuspension.ts'
import { noParticipation, type Participation, type SolverFailure } from './findParticipation.ts'

const [honest, bad, third] = (['0a', '0b', '0c'] as const).map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
const [order, other] = (['11', '22'] as const).map((byte): Hex => `0x${byte.repeat(56)}`) as [Hex, Hex]
const block = 100
const deadlineBlocks = 5

const rulesOf = (changes: Partial<Participation> = {}, facts: Partial<RuleFacts> = {}) =>
  computeRules({
    participation: { ...noParticipation, ...changes },
    able: [honest, bad, third],
    waiting: new Map(),
    block,
    deadlineBlocks,
    pauses: new Map(),
    ...facts,
  })
const suspended = (reason: Suspension['reason'], ...solvers: [Address, number][]) => ({
  suspensions: new Map(solvers.map(([solver, until]) => [solver, { reason, until, level: 1 }])),
})
const failure = (changes: Partial<SolverFailure> = {}): SolverFailure => ({
  ...{ orderUid: order, solver: bad, faults: 12, lastBlock: block - 1 },
  ...changes,
})

describe('computeRules', () => {
  test('excludes no solver without a record', () => {
    const { exclusionOf, maySee, hasFailed } = rulesOf()
    expect([exclusionOf(honest), maySee(honest, order), hasFailed(honest, order)]).toEqual([undefined, true, false])
  })

  test('shows a solver that timed out only open orders that it did not fail', () => {
    const waiting = new Map([
      [order, block - 2],
      [other, block - 1],
    ])
    const late = rulesOf(suspended('timeout', [bad, 5]), { waiting })
    expect([order, other].map((uid) => late.maySee(bad, uid))).toEqual([true, false])
    expect(late.maySee(honest, other)).toBe(true)
    expect(late.exclusionOf(bad)).toEqual({
      kind: 'suspended',
      reason: 'suspended until 1970-01-01T00:00:00.005Z: wins were not settled although nothing prevented it',
    })
    const failing = rulesOf({ ...suspended('timeout', [bad, 5]), failures: [failure()] }, { waiting })
    expect(failing.maySee(bad, order)).toBe(false)
  })

  test('shows a solver that paid less than promised no order', () => {
    const { maySee, isOpen } = rulesOf(suspended('mismatch', [bad, 5]), { waiting: new Map([[order, 0]]) })
    expect([isOpen(order), maySee(bad, order)]).toEqual([true, false])
  })

  test('lets the solver whose suspension ends first participate when all are suspended, but for orders that it failed', () => {
    const all = suspended('mismatch', [honest, 9], [bad, 5], [third, 7])
    const { maySee, exclusionOf } = rulesOf({ ...all, failures: [failure()] })
    expect([honest, bad, third].map((solver) => maySee(solver, other))).toEqual([false, true, false])
    expect(maySee(bad, order)).toBe(false)
    expect(exclusionOf(bad)?.kind).toBe('yielded')
    const { suspensions } = suspended('timeout', [honest, 9])
    const mixed = new Map([...(all.suspensions ?? []), ...(suspensions ?? [])])
    const { maySee: maySeeMixed } = rulesOf({ suspensions: mixed })
    expect([honest, bad, third].map((solver) => maySeeMixed(solver, other))).toEqual([true, false, false])
    // those that cannot settle do not count
    expect(rulesOf(all, { able: [honest, third] }).maySee(third, other)).toBe(true)
  })

  test('states the limit of a solver with unsettled wins', () => {
    const allowances = new Map([
      [honest, { score: 5n, unsettled: 0 }],
      [bad, { score: 5n, unsettled: 1 }],
    ])
    const { exclusionOf } = rulesOf({ allowances })
    expect(exclusionOf(honest)).toBeUndefined()
    expect(exclusionOf(bad)).toEqual({ kind: 'yielded', reason: 'may have 5 wei of score more unsettled' })
  })

  test('a suspended or limited solver is left out with its debt', () => {
    const suspensions = new Map([[bad, { reason: 'mismatch' as const, level: 1, until: 0 }]])
    const allowances = new Map([[third, { score: 5n, unsettled: 1 }]])
    const debts = new Map([bad, third].map((solver) => [solver, 12n * 10n ** 15n]))
    const { exclusionOf } = rulesOf({ suspensions, allowances, debts })
    for (const solver of [bad, third])
      expect(exclusionOf(solver)?.reason).toMatch(/, paid 0\.012 ether less than promised$/)
  })

  test('lets a solver yield an order after a fault or failures that weigh as much, for twice as long each time', () => {
    const period = deadlineBlocks + 1 + maxBackOffBlocks
    const endOf = (changes: Partial<SolverFailure>) => {
      for (let after = 0; after < 99 * period; after += 1) {
        const rules = rulesOf({ failures: [failure({ ...changes, lastBlock: block })] }, { block: block + after })
        if (!rules.hasFailed(bad, order)) return after
        expect([rules.hasFailed(bad, other), rules.hasFailed(honest, order)]).toEqual([false, false])
      }
      return undefined
    }
    expect([1, 11, 12, 23, 24, 36].map((faults) => endOf({ faults }))).toEqual([
      0,
      0,
      period,
      period,
      2 * period,
      4 * period,
    ])
  })

  test('gives an unproven solver two fifths of the deadline, at least two blocks', () => {
    const deadlineOf = (blocks: number) =>
      rulesOf({ unproven: new Set([bad]) }, { deadlineBlocks: blocks }).deadlineBlocksOf
    expect([1, 2, 5, 10].map((blocks) => deadlineOf(blocks)(bad))).toEqual([1, 2, 2, 4])
    expect(deadlineOf(10)(honest)).toBe(10)
  })

  test('opens an order two blocks after it entered the auctions', () => {
    const waiting = new Map([[order, block]])
    const openAt = [0, 1, 2].map((after) => rulesOf({}, { waiting, block: block + after }).isOpen(order))
    expect(openAt).toEqual([false, false, true])
    expect(rulesOf().isOpen(order)).toBe(false)
  })
})
