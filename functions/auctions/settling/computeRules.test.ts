import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ranks } from '../competition/pickWinners.ts'
import { computeRules, type RuleFacts } from './computeRules.ts'
import type { Participation } from './findParticipation.ts'

const [honest, bad, third] = (['0a', '0b', '0c'] as const).map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]
const [order, other] = (['11', '22'] as const).map((byte): Hex => `0x${byte.repeat(56)}`) as [Hex, Hex]
const until = 5
const block = 100

const rulesOf = (changes: Partial<Participation> = {}, facts: Partial<RuleFacts> = {}) =>
  computeRules({
    participation: { suspensions: new Map(), allowances: new Map(), unproven: new Set(), failures: [], ...changes },
    able: [honest, bad, third],
    waiting: new Map(),
    block,
    deadlineBlocks: 5,
    ...facts,
  })
const failed = (solver: Address, orderUid = order) => ({ orderUid, solver, failures: 1, lastBlock: block - 1 })

describe('computeRules', () => {
  test('gives a solver with full standing rank 0, and all orders', () => {
    const { rankOf, maySee, standingOf } = rulesOf()
    expect([standingOf(honest), rankOf(honest, [order]), maySee(honest, order)]).toEqual(['full', ranks.full, true])
  })

  test('ranks a proven solver with its maximum number of unsettled wins before an unproven one', () => {
    const { rankOf, describeStanding } = rulesOf({
      allowances: new Map([
        [honest, 0],
        [bad, 0],
        [third, 1],
      ]),
      unproven: new Set([bad, third]),
    })
    expect([honest, bad, third].map((solver) => rankOf(solver, [order]))).toEqual([
      ranks.yields,
      ranks.unproven,
      ranks.full,
    ])
    expect(describeStanding(bad)).toBe('maximum number of unsettled wins reached')
  })

  test('ranks an unproven solver last on orders that any solver failed, and a proven one on orders that it failed', () => {
    const failures = [failed(third)]
    const { rankOf } = rulesOf({ failures, unproven: new Set([bad]) })
    expect([honest, bad, third].map((solver) => rankOf(solver, [order]))).toEqual([
      ranks.full,
      ranks.unproven,
      ranks.barred,
    ])
    expect([bad, third].map((solver) => rankOf(solver, [other]))).toEqual([ranks.full, ranks.full])
    expect(rankOf(bad, [other, order])).toBe(ranks.unproven)
  })

  test('ranks barred solvers by their failed wins of the order, and a proven one before an unproven one', () => {
    const failures = [failed(honest), failed(bad), { ...failed(third), failures: 2 }, failed(third, other)]
    const { rankOf } = rulesOf({ failures, unproven: new Set([bad]) })
    const found = [honest, bad, third].map((solver) => rankOf(solver, [order]))
    expect(found).toEqual([4, 5, 6])
    expect(found[0]).toBe(ranks.barred)
    expect(rankOf(third, [other, order])).toBe(6)
  })

  test('states the rank of solvers that have used their allowance', () => {
    const { allowances } = rulesOf(
      {
        allowances: new Map([
          [honest, 4],
          [bad, 1],
        ]),
        unproven: new Set([bad]),
      },
      { waiting: new Map([[order, block - 2]]) },
    )
    const toBeyond = (solver: Address) =>
      [[order], [other], [order, other]].map((uids) => allowances.get(solver)?.rankBeyond(uids))
    expect([honest, bad, third].map((solver) => allowances.get(solver)?.wins)).toEqual([4, 1, undefined])
    expect(toBeyond(honest)).toEqual([ranks.yields, ranks.yields, ranks.yields])
    expect(toBeyond(bad)).toEqual([ranks.unproven, undefined, undefined])
  })

  describe('of a suspended solver', () => {
    const suspensions = new Map([[bad, { reason: 'timeout', until } as const]])

    test('shows orders that were not won for two blocks', () => {
      const waiting = new Map([
        [order, block - 2],
        [other, block - 1],
      ])
      const { maySee, rankOf, standingOf } = rulesOf({ suspensions }, { waiting })
      expect([maySee(bad, order), maySee(bad, other)]).toEqual([true, false])
      expect(rulesOf({ suspensions }).maySee(bad, order)).toBe(false)
      expect([standingOf(bad), rankOf(bad, [order])]).toEqual(['out', ranks.suspended])
    })

    test('shows no order after a mismatch, unless no other solver is left', () => {
      const cheating = { suspensions: new Map([[bad, { reason: 'mismatch', until } as const]]) }
      const waiting = new Map([[order, block - 9]])
      expect(rulesOf(cheating, { waiting }).maySee(bad, order)).toBe(false)
      expect(rulesOf(cheating, { waiting, able: [bad] }).maySee(bad, order)).toBe(true)
    })

    test('shows no order from which it is barred', () => {
      const waiting = new Map([
        [order, block - 9],
        [other, block - 9],
      ])
      const { maySee } = rulesOf({ suspensions, failures: [failed(bad), failed(honest, other)] }, { waiting })
      expect([maySee(bad, order), maySee(bad, other)]).toEqual([false, true])
      const long = { ...failed(bad), lastBlock: block - 70 }
      expect(rulesOf({ suspensions, failures: [long] }, { waiting }).maySee(bad, order)).toBe(true)
    })

    test('shows all orders from which it is not barred when no other solver is left', () => {
      const { maySee, standingOf, rankOf } = rulesOf({ suspensions, failures: [failed(bad)] }, { able: [bad] })
      expect([maySee(bad, order), maySee(bad, other)]).toEqual([false, true])
      expect([standingOf(bad), rankOf(bad, [other])]).toEqual(['returned', ranks.suspended])
    })

    test('shows all orders after reverts alone, and lets the solver yield', () => {
      const { maySee, rankOf } = rulesOf({ suspensions: new Map([[bad, { reason: 'reverted', until }]]) })
      expect([maySee(bad, order), rankOf(bad, [order])]).toEqual([true, ranks.yields])
    })
  })

  test.each([
    [1, 1],
    [2, 2],
    [5, 2],
    [7, 2],
    [8, 3],
    [25, 10],
  ])('of a deadline of %i blocks leaves an unproven solver %i', (deadlineBlocks, blocks) => {
    const { deadlineBlocksOf } = rulesOf({ unproven: new Set([bad]) }, { deadlineBlocks })
    expect([deadlineBlocksOf(honest), deadlineBlocksOf(bad)]).toEqual([deadlineBlocks, blocks])
  })
})
