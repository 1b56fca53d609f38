import type { components } from '../../api/openapi.d.ts'

export type SolverCompetition = components['schemas']['SolverCompetition']

type Solution = SolverCompetition['solutions'][number]

/** What a solution would have given an order, atoms. */
export type Executed = { sell: bigint; buy: bigint }

export type RankedSolution = {
  ranking: number
  solver: string
  score: bigint
  /** of the best score, 0 to 1000 */
  permille: number
  isWinner: boolean
  filteredOut: boolean
  txHash: string | null
  orders: Solution['orders']
  /** of the order that is looked at; null: it is not in this solution */
  executed: Executed | null
}

/** The solutions of an auction, best first. @param uid the order that is looked at */
export const rankSolutions = ({ solutions }: SolverCompetition, uid?: string): RankedSolution[] => {
  const best = findBestScore({ solutions })
  return solutions.map((solution) => toRanked(solution, best, uid)).toSorted((a, b) => a.ranking - b.ranking)
}

/** The highest score, of whatever fate: that of a solution that is filtered out may be higher than the winner's. */
export const findBestScore = ({ solutions }: Pick<SolverCompetition, 'solutions'>): bigint =>
  solutions.map(({ score }) => BigInt(score)).reduce(maxOf, 0n)

const maxOf = (a: bigint, b: bigint): bigint => (a > b ? a : b)

const toRanked = (solution: Solution, best: bigint, uid: string | undefined): RankedSolution => {
  const score = BigInt(solution.score)
  const own = solution.orders.find(({ id }) => id === uid)
  return {
    ranking: solution.ranking,
    solver: solution.solverAddress,
    score,
    permille: best > 0n && score > 0n ? Number((score * 1_000n) / best) : 0,
    isWinner: solution.isWinner,
    filteredOut: solution.filteredOut,
    txHash: solution.txHash,
    orders: solution.orders,
    executed: own ? { sell: BigInt(own.sellAmount), buy: BigInt(own.buyAmount) } : null,
  }
}

/** Who won an order, and by how much. */
export type Victory = {
  winner: RankedSolution
  /** the best other solution that could have won with the order; null: there was none */
  next: RankedSolution | null
  /**
   * What the winner gave the order more than that one, for the same part of it: bought atoms of a sell order, sold atoms
   * less of a buy order. Negative: the other one gave more, and lost on other orders. Null: there was none, or it filled
   * another part.
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
