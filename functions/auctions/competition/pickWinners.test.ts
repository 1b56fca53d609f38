import fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { nativeSentinel } from '#shared/networks.ts'
import { toPair } from '#shared/solvers/toTradedPair.ts'
import type { Certainty } from '../book/computeCertainty.ts'
import { pickWinners, type RankedSolution, type WinnerRules } from './pickWinners.ts'
import type { ScoredSolution } from './scoreSolution.ts'

const token = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const [a, b, c, wrappedNative] = [token(1), token(2), token(3), token(4)]
const solvers = [token(11), token(12), token(13)]
const keep = <T>(items: readonly T[]): T[] => [...items]

/** A solution with one order for each `[sell, buy, score]`. */
const solution = (solver: number, solutionId: number, parts: [Address, Address, bigint][]): ScoredSolution => {
  const pairScores = new Map<string, bigint>()
  const orders: [Hex, never][] = []
  for (const [sellToken, buyToken, score] of parts) {
    pairScores.set(toPair(sellToken, buyToken), (pairScores.get(toPair(sellToken, buyToken)) ?? 0n) + score)
    orders.push([`0x${solutionId}${orders.length}`, { sellToken, buyToken } as never])
  }
  return {
    solver: solvers[solver] ?? token(99),
    solutionId,
    orders: new Map(orders),
    pairScores,
    protocolFees: new Map(),
    score: parts.reduce((sum, [, , score]) => sum + score, 0n),
  }
}

const noRules: WinnerRules = {
  ...{ wrappedNative, maxWinners: 20, shuffle: keep, isOpen: () => false, hasFailed: () => false },
  ...{ certainty: new Map(), funds: new Map(), allowances: new Map() },
}

const pick = (solutions: ScoredSolution[], maxWinners = 20) => pickWinners({ ...noRules, maxWinners }, solutions)

const summary = (ranked: RankedSolution[]) =>
  ranked.map(({ solutionId, isWinner, filteredOut, referenceScore }) => ({
    solutionId,
    place: isWinner ? 'wins' : filteredOut ? 'unfair' : 'loses',
    referenceScore,
  }))

describe('pickWinners', () => {
  test('takes the best of one pair; its reference score is what the second best offers', () => {
    const ranked = pick([solution(0, 1, [[a, b, 10n]]), solution(1, 2, [[a, b, 12n]])])
    expect(summary(ranked)).toEqual([
      { solutionId: 2, place: 'wins', referenceScore: 10n },
      { solutionId: 1, place: 'loses', referenceScore: null },
    ])
  })

  const winnersOf = (solutions: ScoredSolution[], rules: Partial<WinnerRules>) =>
    pickWinners({ ...noRules, ...rules }, solutions)
      .flatMap(({ solutionId, isWinner }) => (isWinner ? [Number(solutionId)] : []))
      .toSorted()
  const uidsOf = ({ orders }: ScoredSolution) => [...orders.keys()]

  test('limits the score that a solver may have unsettled, but for one win and for open orders', () => {
    const solutions = [
      solution(0, 1, [[a, b, 100n]]),
      solution(0, 2, [[b, c, 90n]]),
      solution(0, 3, [[c, a, 80n]]),
      solution(1, 4, [[b, c, 10n]]),
    ]
    const limit = (score: bigint, unsettled = 0) => ({ allowances: new Map([[token(11), { score, unsettled }]]) })
    expect(winnersOf(solutions, limit(270n))).toEqual([1, 2, 3])
    expect(winnersOf(solutions, limit(190n))).toEqual([1, 2])
    expect(winnersOf(solutions, limit(0n))).toEqual([1, 4])
    expect(winnersOf(solutions, limit(0n, 1))).toEqual([4])
    const open = uidsOf(solutions[2] as ScoredSolution)
    const rules = { ...limit(0n, 1), isOpen: (uid: Hex) => open.includes(uid) }
    expect(winnersOf(solutions, rules)).toEqual([3, 4])
    // another solver settles it
    const rival = { ...(solutions[2] as ScoredSolution), solver: token(98), solutionId: 9, score: 1n }
    expect(winnersOf([...solutions, rival], rules)).toEqual([4, 9])
  })

  describe('with orders that are not certain', () => {
    const hostile = solution(0, 1, [[a, b, 1_000n]])
    const honest = solution(1, 2, [[a, b, 5n]])
    const classify = (solution: ScoredSolution, certainty: Certainty) =>
      uidsOf(solution).map((uid): [Hex, Certainty] => [uid, certainty])

    test('gives a pair to a certain order, however much an uncertain one promises', () => {
      const certainty = new Map(classify(hostile, 'uncertain'))
      expect(winnersOf([hostile, honest], { certainty })).toEqual([2])
      // also one that its solver puts beside a certain order of the same owner
      const joint = solution(2, 3, [
        [a, b, 2_000n],
        [b, c, 1n],
      ])
      expect(winnersOf([joint, honest], { certainty: new Map(classify(joint, 'uncertain').slice(0, 1)) })).toEqual([2])
    })

    test('lets uncertain orders win together on a pair, because they exclude nothing', () => {
      const certainty = new Map([...classify(hostile, 'uncertain'), ...classify(honest, 'uncertain')])
      expect(winnersOf([hostile, honest], { certainty })).toEqual([1, 2])
    })

    test('lets an uncertain order that waited win beside a certain one of its pair', () => {
      const certainty = new Map(classify(honest, 'uncertain'))
      const isOpen = (uid: Hex) => uidsOf(honest).includes(uid)
      expect(winnersOf([hostile, honest], { certainty })).toEqual([1])
      expect(winnersOf([hostile, honest], { certainty, isOpen })).toEqual([1, 2])
    })

    test('lets a split order win beside the winner of its pair, and a certain one only when it waited', () => {
      expect(winnersOf([hostile, honest], {})).toEqual([1])
      expect(winnersOf([hostile, honest], { certainty: new Map(classify(honest, 'split')) })).toEqual([1, 2])
      expect(winnersOf([hostile, honest], { isOpen: (uid) => uidsOf(honest).includes(uid) })).toEqual([1, 2])
    })

    test('sets no baseline with an uncertain order: a fair solution of several pairs stays fair', () => {
      const joint = solution(1, 3, [
        [a, b, 5n],
        [b, c, 5n],
      ])
      expect(winnersOf([hostile, joint], { certainty: new Map(classify(hostile, 'uncertain')) })).toEqual([3])
      expect(winnersOf([hostile, joint], {})).toEqual([1])
    })

    test('bounds the winners of each kind', () => {
      const many = [0, 1, 2].map((i) => solution(i, i + 1, [[a, b, 9n]]))
      const certainty = new Map(many.flatMap((each) => classify(each, 'uncertain')))
      expect(winnersOf([...many, solution(0, 9, [[b, c, 1n]])], { certainty, maxWinners: 2 })).toHaveLength(3)
    })
  })

  test('spends no more of a holding than it has, over all winners', () => {
    const solutions = [
      solution(0, 1, [[a, b, 9n]]),
      solution(1, 2, [[a, c, 8n]]),
      solution(2, 3, [[a, wrappedNative, 7n]]),
    ].map((each) => ({
      ...each,
      orders: new Map([...each.orders].map(([uid, order]) => [uid, { ...order, executedSell: 10n }])),
    }))
    const fundsOf = (spendable: bigint) =>
      new Map(solutions.flatMap((each) => uidsOf(each).map((uid) => [uid, { holding: 'owner:a', spendable }] as const)))
    expect(winnersOf(solutions, { funds: fundsOf(29n) })).toEqual([1, 2])
    expect(winnersOf(solutions, { funds: fundsOf(30n) })).toEqual([1, 2, 3])
    expect(winnersOf(solutions, { funds: fundsOf(-1n) })).toEqual([])
    expect(winnersOf(solutions, { funds: new Map() })).toEqual([1, 2, 3])
  })

  test('an order that its solver failed goes to another solver for less, and returns when that solution is dropped', () => {
    const failed = solution(0, 1, [[a, b, 9n]])
    const uid = [...failed.orders.keys()][0] as Hex
    const offer = { ...solution(1, 2, [[a, b, 3n]]), orders: failed.orders }
    const batch = {
      ...solution(1, 3, [
        [a, b, 1n],
        [b, c, 1n],
      ]),
      orders: failed.orders,
    }
    const elsewhere = solution(2, 4, [[b, c, 5n]])
    const hasFailed = (solver: Address, order: Hex) => solver === failed.solver && order === uid
    const winnersOf = (solutions: ScoredSolution[]) =>
      pickWinners({ ...noRules, hasFailed }, solutions).flatMap(({ isWinner, solutionId }) =>
        isWinner ? [solutionId] : [],
      )
    expect(winnersOf([failed, offer])).toEqual([2])
    expect(winnersOf([failed])).toEqual([1])
    // an offer that cannot win excludes nothing
    expect(winnersOf([failed, batch, elsewhere])).toEqual([4, 1])
  })

  test('lets an order win once', () => {
    const [first, again] = [solution(0, 1, [[a, b, 9n]]), solution(1, 2, [[b, c, 8n]])]
    const shared = { ...again, orders: new Map([...again.orders, ...first.orders]) } as ScoredSolution
    expect(winnersOf([first, shared], { isOpen: () => true })).toEqual([1])
  })

  test('caps the reference score where claims together are more than a score can be', () => {
    const most = 2n ** 256n - 1n
    const claims = [solution(0, 1, [[a, b, most]]), solution(0, 2, [[b, c, most]])]
    const [winner] = pick([solution(1, 3, [[c, a, most]]), ...claims])
    expect(winner).toMatchObject({ solutionId: 3, referenceScore: most })
  })

  test('lets disjoint pairs win together, the two directions of a pair too', () => {
    const ranked = pick([
      solution(0, 1, [[a, b, 5n]]),
      solution(1, 2, [[b, a, 7n]]),
      solution(2, 3, [[a, c, 3n]]),
      solution(2, 4, [[a, b, 4n]]),
    ])
    expect(summary(ranked)).toEqual([
      { solutionId: 2, place: 'wins', referenceScore: 8n },
      { solutionId: 1, place: 'wins', referenceScore: 14n },
      { solutionId: 3, place: 'wins', referenceScore: 12n },
      { solutionId: 4, place: 'loses', referenceScore: null },
    ])
  })

  test('filters out a batch that scores less on one pair than a solution of that pair alone, despite the best total score', () => {
    const batch = solution(0, 1, [
      [a, b, 9n],
      [a, c, 100n],
    ])
    const single = solution(1, 2, [[a, b, 10n]])
    expect(summary(pick([batch, single]))).toEqual([
      { solutionId: 2, place: 'wins', referenceScore: 0n },
      { solutionId: 1, place: 'unfair', referenceScore: null },
    ])
    const equal = solution(0, 1, [
      [a, b, 10n],
      [a, c, 100n],
    ])
    expect(summary(pick([equal, single]))).toEqual([
      { solutionId: 1, place: 'wins', referenceScore: 10n },
      { solutionId: 2, place: 'loses', referenceScore: null },
    ])
  })

  test('a solution beyond the allowance of its solver or the funds of its owner sets no baseline', () => {
    const batch = solution(0, 1, [
      [a, b, 6n],
      [a, c, 1n],
    ])
    const single = solution(1, 2, [[a, b, 10n]])
    const { solver } = single
    const [uid = '0x'] = single.orders.keys()
    const idle = { ...single, orders: new Map([[uid, { sellToken: a, buyToken: b, executedSell: 1n } as never]]) }
    const poor = { funds: new Map([[uid, { holding: 'x', spendable: 0n }]]) }
    for (const rules of [{ allowances: new Map([[solver, { score: 0n, unsettled: 1 }]]) }, poor])
      expect(winnersOf([batch, idle], rules)).toEqual([1])
    expect(winnersOf([batch, idle], {})).toEqual([2])
  })

  test('sums a pair over its orders before comparing it with the baseline', () => {
    const batch = solution(0, 1, [
      [a, b, 6n],
      [a, b, 5n],
      [a, c, 1n],
    ])
    expect(summary(pick([batch, solution(1, 2, [[a, b, 10n]])]))[0]?.solutionId).toBe(1)
  })

  test('a filtered-out solution is never a reference', () => {
    const ranked = pick([
      solution(0, 1, [[a, b, 10n]]),
      solution(1, 2, [
        [a, b, 9n],
        [b, c, 50n],
      ]),
    ])
    expect(summary(ranked)[0]).toEqual({ solutionId: 1, place: 'wins', referenceScore: 0n })
  })

  test('treats the native token and its wrapped form as one when looking for overlaps', () => {
    const ranked = pick([solution(0, 1, [[a, nativeSentinel, 5n]]), solution(1, 2, [[a, wrappedNative, 4n]])])
    expect(summary(ranked).map(({ place }) => place)).toEqual(['wins', 'loses'])
  })

  test('stops at the maximum of winners', () => {
    const ranked = pick([solution(0, 1, [[a, b, 5n]]), solution(1, 2, [[b, a, 7n]]), solution(2, 3, [[a, c, 3n]])], 2)
    expect(summary(ranked).map(({ place }) => place)).toEqual(['wins', 'wins', 'loses'])
  })

  test('breaks a tie by the shuffle', () => {
    const solutions = [solution(0, 1, [[a, b, 5n]]), solution(1, 2, [[a, b, 5n]])]
    expect(pick(solutions)[0]?.solutionId).toBe(1)
    const reversed = pickWinners({ ...noRules, shuffle: (items) => items.toReversed() }, solutions)
    expect(reversed[0]?.solutionId).toBe(2)
  })

  test('picks nothing without solutions', () => expect(pick([])).toEqual([]))

  test('agrees with a direct implementation of the definition', () => {
    const part = fc.tuple(
      fc.constantFrom(a, b, c, wrappedNative),
      fc.constantFrom(a, b, nativeSentinel),
      fc.bigInt(0n, 6n),
    )
    const proposals = fc.array(fc.tuple(fc.nat(2), fc.array(part, { minLength: 1, maxLength: 3 })), { maxLength: 7 })
    fc.assert(
      fc.property(proposals, fc.integer({ min: 1, max: 3 }), (drawn, maxWinners) => {
        const solutions = drawn.map(([solver, parts], id) => solution(solver, id, parts))
        const ranked = pick(solutions, maxWinners)
        expect(ranked.map(({ solutionId }) => solutionId).toSorted()).toEqual(drawn.map((_, id) => id).toSorted())
        const expected = judge(drawn, maxWinners)
        for (const { solutionId, isWinner, filteredOut, referenceScore } of ranked) {
          expect({ isWinner, filteredOut, referenceScore }).toEqual(expected[Number(solutionId)])
        }
        const keys = ranked.map(({ isWinner, filteredOut, score }) => [isWinner ? 0 : filteredOut ? 2 : 1, -score])
        expect(keys).toEqual(
          keys.toSorted(([p = 0, s = 0], [q = 0, t = 0]) => (p === q ? (s < t ? -1 : 1) : p < q ? -1 : 1)),
        )
      }),
      { numRuns: 500 },
    )
  })
})

type Drawn = [solver: number, parts: [Address, Address, bigint][]][]

/** The definition read literally: arrays and loops, ties by position. */
const judge = (drawn: Drawn, maxWinners: number) => {
  const score = (id: number) => (drawn[id]?.[1] ?? []).reduce((sum, [, , part]) => sum + part, 0n)
  const pairsOf = (id: number) => [...new Set((drawn[id]?.[1] ?? []).map(([sell, buy]) => `${sell}/${buy}`))]
  const pairScore = (id: number, pair: string) =>
    (drawn[id]?.[1] ?? [])
      .filter(([sell, buy]) => `${sell}/${buy}` === pair)
      .reduce((sum, [, , part]) => sum + part, 0n)
  const ids = drawn.map((_, id) => id)
  const unfair = (id: number) =>
    pairsOf(id).length > 1 &&
    pairsOf(id).some((pair) =>
      ids.some((other) => pairsOf(other).join() === pair && pairScore(other, pair) > pairScore(id, pair)),
    )
  const overlap = (one: number, other: number) => {
    const unified = (id: number) => pairsOf(id).map((pair) => pair.replaceAll(nativeSentinel, wrappedNative))
    return unified(one).some((pair) => unified(other).includes(pair))
  }
  const winnersAmong = (candidates: number[]) => {
    const winners: number[] = []
    const rest = [...candidates]
    while (rest.length > 0) {
      const best = rest.reduce((x, y) => (score(y) > score(x) ? y : x))
      rest.splice(rest.indexOf(best), 1)
      if (winners.length < maxWinners && !winners.some((winner) => overlap(winner, best))) winners.push(best)
    }
    return winners
  }
  const fair = ids.filter((id) => !unfair(id))
  const winners = winnersAmong(fair)
  return ids.map((id) => ({
    isWinner: winners.includes(id),
    filteredOut: unfair(id),
    referenceScore: winners.includes(id)
      ? winnersAmong(fair.filter((other) => drawn[other]?.[0] !== drawn[id]?.[0])).reduce(
          (sum, w) => sum + score(w),
          0n,
        )
      : null,
  }))
}
