import type { ScoredSolution } from './scoreSolution.ts'

/** Best score on each pair of a solution that trades only that pair, wei. */
export const computeBaselines = (solutions: readonly ScoredSolution[]): Map<string, bigint> => {
  const baselines = new Map<string, bigint>()
  for (const { pairScores } of solutions) {
    const [[pair, score] = [], another] = pairScores
    if (pair === undefined || score === undefined || another) continue
    const best = baselines.get(pair)
    if (best === undefined || score > best) baselines.set(pair, score)
  }
  return baselines
}

/** Whether a solution of several pairs reaches the baseline of each. */
export const isFairToPairs = ({ pairScores }: ScoredSolution, baselines: ReadonlyMap<string, bigint>): boolean =>
  pairScores.size === 1 || [...pairScores].every(([pair, score]) => score >= (baselines.get(pair) ?? 0n))
