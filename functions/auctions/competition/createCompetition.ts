import type { Hex } from 'viem'
import { selectListedUids } from '#schema/queries/auctions/listedOrders.ts'
import { insertDriverRefusals } from '#schema/queries/events/driverRefusals.ts'
import type { Auction } from '../auction.ts'
import type { SolveBases } from '../solvers/solveBodies.ts'
import { collectSolutions } from './collectSolutions.ts'
import type { CompetitionDeps } from './competitionDeps.ts'
import { createReadability } from './createReadability.ts'
import { decideAuction } from './decideAuction.ts'
import type { Attempt } from './recordAuction.ts'
import { revealSolution } from './revealSolution.ts'
import type { Rules } from './rules.ts'
import type { ScoredSolution } from './scoreSolution.ts'

/**
 * The competition: from an auction to its winners.
 *
 * All solvers receive the auction at once with one deadline (`requestProposals`), in full or as a delta to the auction
 * that they responded to last. Each solution is checked against the signed terms (`checkSolution`) and the market
 * (`checkPlausible`), and scored by the surplus of its orders (`scoreSolution`); a solver's own claims count for
 * nothing. The best solutions that can be settled together win (`pickWinners`), if their calldata, revealed and
 * simulated, keeps the promise (`revealSolution`). The ranking and one running attempt per winner are
 * recorded in one transaction (`recordAuction`) before any settlement is requested, so no order is awarded twice.
 */
export const createCompetition = (deps: CompetitionDeps): Competition => {
  /** auction that each driver responded to last */
  const bases: SolveBases = new Map()
  const readability = createReadability({
    ...deps,
    record: (auctionId, refusals) => insertDriverRefusals(deps.database, deps.network.chainId, auctionId, refusals),
  })
  const findListed = (uids: readonly Hex[]) => selectListedUids(deps.database, deps.network.chainId, uids)
  const reveal = (auction: Auction, solution: ScoredSolution) => revealSolution(deps, auction, solution)
  return {
    hold: async (auction, rules) => {
      const { solutions, leftOut } = await collectSolutions(
        { ...deps, ...rules, bases, readability, findListed },
        auction,
      )
      if (solutions.length === 0) return { solutions: 0, attempts: [] }
      const attempts = await decideAuction({ ...deps, ...rules, reveal }, auction, solutions, leftOut)
      return { solutions: solutions.length, attempts }
    },
  }
}

export type Competition = {
  /**
   * Holds an auction.
   * @returns number of valid solutions, and the running attempts of the winners
   * @throws Error when the database fails, or another clock recorded a newer auction
   */
  hold: (auction: Auction, rules: Rules) => Promise<{ solutions: number; attempts: Attempt[] }>
}
