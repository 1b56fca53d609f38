import { findBestScore } from './findBestScore.ts'
import type { SolverCompetition } from './loadCompetition.ts'

type Solution = SolverCompetition['solutions'][number]

/** Amounts of an order in a solution, atoms. */
export type Executed = { sell: bigint; buy: bigint }

export type RankedSolution = {
  ranking: number
  solver: string
  score: bigint
  /**
   * length of its bar, 0 to 1000: scores of one auction often differ by a hundredth of a percent, so the scale begins a
   * little below the lowest one
   */
  permille: number
  isWinner: boolean
  filteredOut: boolean
  txHash: string | null
  orders: Solution['orders']
  /** of the page's order; null: the solution does not include it */
  executed: Executed | null
}

/** Solutions of an auction, best first. @param uid the order of the page */
export const rankSolutions = ({ solutions }: SolverCompetition, uid?: string): RankedSolution[] => {
  const best = findBestScore({ solutions })
  const lowest = solutions.reduce((least, { score }) => (BigInt(score) < least ? BigInt(score) : least), best)
  return solutions
    .map((solution) => toRanked(solution, { best, lowest }, uid))
    .toSorted((a, b) => a.ranking - b.ranking)
}

const toRanked = (
  solution: Solution,
  scores: { best: bigint; lowest: bigint },
  uid: string | undefined,
): RankedSolution => {
  const score = BigInt(solution.score)
  const own = solution.orders.find(({ id }) => id === uid)
  return {
    ranking: solution.ranking,
    solver: solution.solverAddress,
    score,
    permille: toPermille(score, scores),
    isWinner: solution.isWinner,
    filteredOut: solution.filteredOut,
    txHash: solution.txHash,
    orders: solution.orders,
    executed: own ? { sell: BigInt(own.sellAmount), buy: BigInt(own.buyAmount) } : null,
  }
}

/** Length of the shortest bar. */
const least = 250n

const toPermille = (score: bigint, { best, lowest }: { best: bigint; lowest: bigint }): number => {
  if (best <= 0n || score <= 0n) return 0
  if (best === lowest) return 1_000
  const from = lowest > 0n ? lowest : 0n
  return Number(least + ((score - from) * (1_000n - least)) / (best - from))
}
