import type { components } from '../../api/openapi.d.ts'

export type SolverCompetition = components['schemas']['SolverCompetition']

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
  const lowest = solutions.map(({ score }) => BigInt(score)).reduce(minOf, best)
  return solutions
    .map((solution) => toRanked(solution, { best, lowest }, uid))
    .toSorted((a, b) => a.ranking - b.ranking)
}

/** The highest score, including filtered solutions, which may exceed the winner's. */
export const findBestScore = ({ solutions }: Pick<SolverCompetition, 'solutions'>): bigint =>
  solutions.map(({ score }) => BigInt(score)).reduce(maxOf, 0n)

const minOf = (a: bigint, b: bigint): bigint => (a < b ? a : b)

const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b)

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

/** The winner of an order and its advantage. */
export type Victory = {
  winner: RankedSolution
  /** the best other solution that could have won with the order; null without one */
  next: RankedSolution | null
  /**
   * Amount that the winner gave the order more than the runner-up, for the same part of it: more bought atoms of a sell
   * order, fewer sold atoms of a buy order. Negative: the runner-up gave more and lost on other orders. Null without a
   * runner-up, or when it filled another part.
   */
  advantage: bigint | null
}

/** @returns null when no winner has the order */
export const findVictory = (ranked: readonly RankedSolution[], kind: 'sell' | 'buy'): Victory | null => {
  const winner = ranked.find(({ isWinner, executed }) => isWinner && executed)
  if (!winner?.executed) return null
  const next = ranked.find((other) => other !== winner && other.executed && !other.filteredOut) ?? null
  return { winner, next, advantage: next?.executed ? compare(winner.executed, next.executed, kind) : null }
}

const compare = (a: Executed, b: Executed, kind: 'sell' | 'buy'): bigint | null => {
  if (kind === 'sell') return a.sell === b.sell ? a.buy - b.buy : null
  return a.buy === b.buy ? b.sell - a.sell : null
}
