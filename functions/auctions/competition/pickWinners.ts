import type { Address, Hex } from 'viem'
import { minOf } from '#shared/amounts/minMax.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { nativeSentinel } from '#shared/networks.ts'
import { type ScoredSolution, toPair } from './scoreSolution.ts'

/** A solution in its final place: the index in the ranking is its `uid`. */
export type RankedSolution = ScoredSolution & {
  isWinner: boolean
  /** it treats a pair worse than somebody does who trades that pair alone */
  filteredOut: boolean
  /** wei: what the winners would score without any solution of this solver; null when it did not win */
  referenceScore: bigint | null
}

/** Wins that a solver may get in one auction. */
export type Allowance = {
  wins: number
  /** the least rank of a solution with these orders after them; undefined when it cannot win */
  rankBeyond: (orders: readonly Hex[]) => number | undefined
}

/**
 * A solution gives way to those of a lower rank on the same pairs. `yields`: its solver was suspended for reverts, or is proven
 * and holds as many unsettled wins as it may. `unproven`: its solver is unproven, and holds an unsettled win or the
 * order has failed before. `suspended`: its solver is. `barred`: its solver has failed the order lately.
 */
export const ranks = { full: 0, yields: 1, unproven: 2, suspended: 3, barred: 4 } as const

export type PickWinnersDeps = {
  wrappedNative: Address
  maxWinners: number
  /** how often the settlement of an order has failed since its last fill; orders without an entry: never */
  failures?: ReadonlyMap<Hex, number>
  /** solvers without an entry may win any number */
  allowances?: ReadonlyMap<Address, Allowance>
  /** decides ties: a random permutation */
  shuffle: <T>(items: readonly T[]) => T[]
}

/**
 * Ranks solutions and picks the winners, which may all settle: no two of them trade the same directed pair.
 *
 * The baseline of a pair is the best score of a solution that trades only that pair. Fairness: a solution that trades
 * several pairs must reach the baseline of each, else it is filtered out. Of the others the best wins, then the next
 * best on other pairs, and so on. Order: winners, other solutions, filtered-out ones, each by rank, failures and descending score.
 * An order whose settlement has failed before takes its turn after the others: its solution wins where no solution with fewer
 * failures trades its pair, whatever it scores, and it sets no baseline. So an order that always reverts, and promises much
 * because its limit is low, cannot keep a pair to itself.
 * The standing of its solver comes before that: a solution of a higher `rank` gives way to all of a lower one. A solver that
 * has won as often as its allowance permits gives way with the rest of its solutions, or cannot win with them.
 * Source: the combinatorial auction of the public system (its winner selection), which solvers of this field expect.
 */
export const pickWinners = (deps: PickWinnersDeps, solutions: readonly ScoredSolution[]): RankedSolution[] => {
  const failuresOf = ({ orders }: ScoredSolution) =>
    Math.max(0, ...[...orders.keys()].map((uid) => deps.failures?.get(uid) ?? 0))
  const compare = (a: ScoredSolution, b: ScoredSolution) =>
    rankOf(a) - rankOf(b) || failuresOf(a) - failuresOf(b) || compareScores(a, b)
  const sorted = deps.shuffle(solutions).sort(compare)
  const flawless = sorted.filter((solution) => failuresOf(solution) === 0)
  const baselinesOf = new Map(
    [...new Set(sorted.map(rankOf))].map((rank) => [
      rank,
      computeBaselines(flawless.filter((solution) => rankOf(solution) <= rank)),
    ]),
  )
  const fair = sorted.filter((solution) => isFair(solution, baselinesOf.get(rankOf(solution)) ?? new Map()))
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

const compareScores = (a: ScoredSolution, b: ScoredSolution): number =>
  a.score < b.score ? 1 : a.score > b.score ? -1 : 0

const rankOf = ({ rank }: ScoredSolution): number => rank ?? 0

const computeBaselines = (solutions: readonly ScoredSolution[]): Map<string, bigint> => {
  const baselines = new Map<string, bigint>()
  for (const { pairScores } of solutions) {
    const [[pair, score] = [], another] = pairScores
    if (pair === undefined || score === undefined || another) continue
    const best = baselines.get(pair)
    if (best === undefined || score > best) baselines.set(pair, score)
  }
  return baselines
}

const isFair = ({ pairScores }: ScoredSolution, baselines: ReadonlyMap<string, bigint>): boolean =>
  pairScores.size === 1 || [...pairScores].every(([pair, score]) => score >= (baselines.get(pair) ?? 0n))

/** @param solutions as `compare` sorts them */
const pickDisjoint = (
  { wrappedNative, maxWinners, allowances }: PickWinnersDeps,
  solutions: readonly ScoredSolution[],
  compare: (a: ScoredSolution, b: ScoredSolution) => number,
): Set<ScoredSolution> => {
  const winners = new Set<ScoredSolution>()
  const used = new Set<string>()
  const wins = new Map<Address, number>()
  // the native token and its wrapped form are one liquidity, hence one side of a pair
  const wrap = (token: Address) => (token === nativeSentinel ? wrappedNative : token)
  let waiting = solutions.map((solution) => ({ solution, ranked: solution }))
  for (let next = waiting.shift(); next && winners.size < maxWinners; next = waiting.shift()) {
    const { solution, ranked } = next
    const pairs = [...solution.orders.values()].map((order) => toPair(wrap(order.sellToken), wrap(order.buyToken)))
    if (pairs.some((pair) => used.has(pair))) continue
    const { solver } = solution
    const won = wins.get(solver) ?? 0
    const allowance = allowances?.get(solver)
    if (allowance && won >= allowance.wins) {
      const rank = allowance.rankBeyond([...solution.orders.keys()])
      if (rank === undefined) continue
      if (rankOf(ranked) < rank) {
        waiting.push({ solution, ranked: { ...solution, rank } })
        waiting = waiting.toSorted((a, b) => compare(a.ranked, b.ranked))
        continue
      }
    }
    winners.add(solution)
    wins.set(solver, won + 1)
    for (const pair of pairs) used.add(pair)
  }
  return winners
}

/** Solvers may claim any scores, so the sum is capped at what the database and clients can hold. */
const sumScores = (solutions: Iterable<ScoredSolution>): bigint => {
  let sum = 0n
  for (const { score } of solutions) sum += score
  return minOf(sum, maxUint256)
}
