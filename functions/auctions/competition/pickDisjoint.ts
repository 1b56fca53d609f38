import type { Address, Hex } from 'viem'
import { toTradedPair } from '../toTradedPair.ts'
import type { ScoredSolution } from './scoreSolution.ts'

/** Allowance of wins of a solver in one auction. */
export type Allowance = {
  wins: number
  /** minimum rank of its further solutions with these orders; undefined when they cannot win */
  rankBeyond: (orders: readonly Hex[]) => number | undefined
}

/** Bounds of the winners of an auction. */
export type WinnerRules = {
  wrappedNative: Address
  maxWinners: number
  /** solvers without an entry have no limit */
  allowances?: ReadonlyMap<Address, Allowance>
}

/** Rank of a solution, see `ranks`; 0 without one. */
export const rankOf = ({ rank }: ScoredSolution): number => rank ?? 0

/**
 * Picks winners in their order, no two of them on the same directed pair.
 * @param solutions sorted by `compare`
 */
export const pickDisjoint = (
  { wrappedNative, maxWinners, allowances }: WinnerRules,
  solutions: readonly ScoredSolution[],
  compare: (a: ScoredSolution, b: ScoredSolution) => number,
): Set<ScoredSolution> => {
  const winners = new Set<ScoredSolution>()
  const used = new Set<string>()
  const wins = new Map<Address, number>()
  let waiting = solutions.map((solution) => ({ solution, ranked: solution }))
  for (let next = waiting.shift(); next && winners.size < maxWinners; next = waiting.shift()) {
    const { solution, ranked } = next
    const pairs = [...solution.orders.values()].map((order) => toTradedPair(order, wrappedNative))
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
