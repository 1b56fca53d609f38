import type { Executed, RankedSolution } from './rankSolutions.ts'

/** The winner of an order and its advantage. */
export type Victory = {
  winner: RankedSolution
  /** the best other solution that could have won with the order; null without one */
  next: RankedSolution | null
  /**
   * Advantage of the order with the winner over the runner-up, for the same part of it: more bought atoms of a sell
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
