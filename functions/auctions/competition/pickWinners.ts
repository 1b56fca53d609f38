import type { Hex } from 'viem'
import { compareDescending } from '#shared/amounts/compareDescending.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { computeBaselines, isFairToPairs } from './computeBaselines.ts'
import { pickDisjoint, rankOf, type WinnerRules } from './pickDisjoint.ts'
import type { ScoredSolution } from './scoreSolution.ts'

/** A ranked solution: its index in the ranking is its `uid`. */
export type RankedSolution = ScoredSolution & {
  isWinner: boolean
  /** unfair: it scores less on a pair than a solution that trades only that pair */
  filteredOut: boolean
  /** total score of the winners without any solution of this solver, wei; null when it did not win */
  referenceScore: bigint | null
}

/**
 * A solution yields to those of a lower rank on the same pairs. `yields`: its solver was suspended for reverts, or is
 * proven with its maximum number of unsettled wins. `unproven`: its solver is unproven, and has an unsettled win or the
 * order failed before. `suspended`: its solver is suspended. `barred`: its solver recently failed the order;
 * the first of several ranks, see `toBarredRank`.
 */
export const ranks = { full: 0, yields: 1, unproven: 2, suspended: 3, barred: 4 } as const

/**
 * Rank of a solution whose solver recently failed one of its orders: fewer failures first, of equal ones a proven
 * solver. Otherwise a broken promise would win again over a solver that failed once because a pool moved.
 * @param failures failed wins of the order by this solver since the order's last fill, at least 1
 */
export const toBarredRank = (failures: number, { isProven }: { isProven: boolean }): number =>
  ranks.barred + 2 * (failures - 1) + (isProven ? 0 : 1)

export type PickWinnersDeps = WinnerRules & {
  /** number of failed settlements of an order since its last fill; 0 without an entry */
  failures?: ReadonlyMap<Hex, number>
  /** tie-breaker: a random permutation */
  shuffle: <T>(items: readonly T[]) => T[]
}

/**
 * Ranks solutions and picks the winners. No two winners trade the same directed pair.
 *
 * The baseline of a pair is the best score of a solution that trades only that pair. Fairness: a solution that trades
 * several pairs must reach the baseline of each, else it is filtered out. Of the others the best wins, then the next
 * best on other pairs, and so on. Order: winners, other solutions, filtered-out ones, each by rank, failures and
 * descending score. Orders whose settlement failed before come after the others: a solution with such an order wins
 * only if no solution with fewer failures trades its pair, regardless of scores, and it sets no baseline. So an order
 * that always reverts, and promises much because its limit is low, cannot block a pair. The solver's standing takes
 * precedence: a solution of a higher `rank` yields to all of a lower one. Once a solver has used its allowance, its
 * further solutions yield or cannot win. Source: the winner selection of the public system's combinatorial auction,
 * which solvers expect.
 */
export const pickWinners = (deps: PickWinnersDeps, solutions: readonly ScoredSolution[]): RankedSolution[] => {
  const failuresOf = ({ orders }: ScoredSolution) =>
    Math.max(0, ...[...orders.keys()].map((uid) => deps.failures?.get(uid) ?? 0))
  const compare = (a: ScoredSolution, b: ScoredSolution) =>
    rankOf(a) - rankOf(b) || failuresOf(a) - failuresOf(b) || compareDescending(a.score, b.score)
  const sorted = deps.shuffle(solutions).sort(compare)
  const flawless = sorted.filter((solution) => failuresOf(solution) === 0)
  const baselinesOf = new Map(
    [...new Set(sorted.map(rankOf))].map((rank) => [
      rank,
      computeBaselines(flawless.filter((solution) => rankOf(solution) <= rank)),
    ]),
  )
  const fair = sorted.filter((solution) => isFairToPairs(solution, baselinesOf.get(rankOf(solution)) ?? new Map()))
  const winners = pickDisjoint(deps, fair, compare)
  const rank = (solution: ScoredSolution): RankedSolution => {
    const isWinner = winners.has(solution)
    const rivals = () => fair.filter(({ solver }) => solver !== solution.solver)
    return {
      ...solution,
      isWinner,
      filteredOut: !fair.includes(solution),
      referenceScore: isWinner ? sumScores(pickDisjoint(deps, rivals(), compare)) : null,
    }
  }
  const ranked = sorted.map(rank)
  const place = ({ isWinner, filteredOut }: RankedSolution) => (isWinner ? 0 : filteredOut ? 2 : 1)
  return ranked.sort((a, b) => place(a) - place(b))
}

/** Solvers can claim any score, so the sum is capped at the range of the database and clients. */
const sumScores = (solutions: Iterable<ScoredSolution>): bigint => {
  let sum = 0n
  for (const { score } of solutions) sum += score
  return minOf(sum, maxUint256)
}
