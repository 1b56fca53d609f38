import type { SolverCompetitionFacts } from '#schema/queries/auctions/solverCompetition.ts'
import type { FindArchived } from './connectArchive.ts'

/** The competition with all its solutions, worst first: read from the archive when the database has only the winners. */
export const completeCompetition = async (
  facts: SolverCompetitionFacts,
  findArchived: FindArchived['competitions'],
): Promise<SolverCompetitionFacts> => {
  const { archiveKey, id } = facts.auction
  if (archiveKey === null) return facts
  const [archived] = await findArchived(archiveKey, [id])
  if (!archived) return facts
  const { prices, leftOut, solutions, orders } = archived
  return {
    ...facts,
    auction: { ...facts.auction, prices, leftOut },
    solutions: solutions.toSorted((a, b) => b.uid - a.uid),
    solutionOrders: orders.toSorted((a, b) => (a.orderUid < b.orderUid ? -1 : 1)),
  }
}
