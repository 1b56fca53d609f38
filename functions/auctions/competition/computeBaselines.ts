import type { ScoredSolution } from './scoreSolution.ts'

/** Best solution on each pair of those that trade only that pair. */
export const computeBaselines = (solutions: readonly ScoredSolution[]): Map<string, ScoredSolution> => {
  const baselines = new Map<string, ScoredSolution>()
  for (const solution of solutions) {
    const [pair, another] = solution.pairScores.keys()
    if (pair === undefined || another !== undefined) continue
    const best = baselines.get(pair)
    if (best === undefined || solution.score > best.score) baselines.set(pair, solution)
  }
  return baselines
}

/** The baselines that a solution of several pairs does not reach. */
export const findMissedBaselines = (
  { pairScores }: ScoredSolution,
  baselines: ReadonlyMap<string, ScoredSolution>,
): ScoredSolution[] =>
  pairScores.size === 1
    ? []
    : [...pairScores].flatMap(([pair, score]) => {
        const baseline = baselines.get(pair)
        return baseline && score < baseline.score ? [baseline] : []
      })
