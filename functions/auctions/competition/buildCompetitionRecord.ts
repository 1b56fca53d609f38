import type { Hex } from 'viem'
import type { CompetitionRecord } from '#schema/queries/auctions/auctions.ts'
import type { SolutionId } from '#shared/solvers/driverApi.ts'
import type { Auction } from '../auction.ts'
import type { RankedSolution } from './pickWinners.ts'
import { toFeePolicyRow } from './toFeePolicyRow.ts'

/** Recorded solution id, −1 when it exceeds JavaScript's integers: only the running attempt uses the exact id. */
const toStoredId = (id: SolutionId): number => (Number.isSafeInteger(Number(id)) ? Number(id) : -1)

/** Builds the rows that record a ranked auction. */
export const buildCompetitionRecord = (
  auction: Auction,
  ranked: readonly RankedSolution[],
  facts: Pick<CompetitionRecord, 'startBlock' | 'deadlineBlock' | 'deadlines' | 'leftOut' | 'prices' | 'provenPrices'>,
): CompetitionRecord => {
  // just-in-time orders are not stored yet: they have no events, and may be in several solutions
  const uidsOf = (solutions: readonly RankedSolution[]) =>
    new Set<Hex>(solutions.flatMap(({ orders }) => [...orders.keys()]).filter((uid) => auction.orders.has(uid)))
  const winning = uidsOf(ranked.filter(({ isWinner }) => isWinner))
  const considered = [...uidsOf(ranked.filter(({ filteredOut }) => !filteredOut))].filter((uid) => !winning.has(uid))
  return {
    ...facts,
    auctionId: auction.id,
    block: auction.block,
    orderCount: auction.orders.size,
    solutions: ranked.map(({ solver, solutionId, isWinner, filteredOut, score, referenceScore, responseMs }, uid) => ({
      uid,
      solutionId: toStoredId(solutionId),
      solver,
      isWinner,
      filteredOut,
      score,
      referenceScore,
      responseMs: responseMs ?? null,
    })),
    solutionOrders: ranked.flatMap(({ orders, protocolFees }, solutionUid) =>
      [...orders].map(([orderUid, order]) => ({
        solutionUid,
        orderUid,
        ...order,
        protocolFees: protocolFees.get(orderUid)?.map(String) ?? [],
      })),
    ),
    feePolicies: [...uidsOf(ranked)].flatMap((orderUid) =>
      (auction.feePolicies.get(orderUid) ?? []).map((policy, applicationOrder) => ({
        orderUid,
        applicationOrder,
        ...toFeePolicyRow(policy),
      })),
    ),
    transitions: [
      ...[...winning].map((uid) => ({ uid, label: 'executing' as const, reason: null })),
      ...considered.map((uid) => ({ uid, label: 'considered' as const, reason: null })),
    ],
    winningOrders: [...winning],
  }
}
