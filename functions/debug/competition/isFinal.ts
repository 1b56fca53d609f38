import type { SolverCompetitionFacts } from '#schema/queries/auctions/solverCompetition.ts'

/**
 * Returns whether a competition is final: every winner's attempt has an outcome, and the deciding blocks are too old
 * for a reorganisation.
 * @param finalBlocks so many blocks behind the head are final
 */
export const isFinal = (
  {
    auction,
    solutions,
    attempts,
    head,
  }: Pick<SolverCompetitionFacts, 'auction' | 'solutions' | 'head'> & {
    attempts: readonly Pick<SolverCompetitionFacts['attempts'][number], 'solutionUid' | 'outcome' | 'endBlock'>[]
  },
  finalBlocks: number,
): boolean => {
  const decided = attempts.filter(({ outcome }) => outcome !== null)
  const winners = solutions.filter(({ isWinner }) => isWinner)
  const decidedAt = Math.max(auction.deadlineBlock, ...decided.map(({ endBlock }) => endBlock ?? 0))
  return (
    head !== null &&
    head - decidedAt > finalBlocks &&
    winners.every(({ uid }) => decided.some(({ solutionUid }) => solutionUid === uid))
  )
}
