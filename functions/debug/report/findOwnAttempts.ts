import type { DebugFacts } from '#schema/queries/debug/debugReport.ts'

/** Solutions and settlement attempts of the auctions with an order. */
export type AttemptFacts = Pick<DebugFacts, 'solutions' | 'attempts'>

export const hasFailed = (facts: AttemptFacts): boolean => {
  const outcome = findOwnAttempts(facts).at(-1)?.outcome
  return outcome !== undefined && outcome !== null && outcome !== 'success'
}

/** Settlement attempts of solutions with the order, oldest first; the report has those of all winners. */
export const findOwnAttempts = ({ attempts, solutions }: AttemptFacts): AttemptFacts['attempts'] =>
  attempts.filter(({ auctionId, solutionUid }) =>
    solutions.some((solution) => solution.auctionId === auctionId && solution.uid === solutionUid),
  )
