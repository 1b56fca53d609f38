import type { Address, Hex } from 'viem'
import { type CompetitionRecord, insertCompetition } from '#schema/queries/auctions/auctions.ts'
import type { LeftOut } from '#schema/tables/auctions/auctions.ts'
import type { SolutionId } from '#shared/solvers/driverApi.ts'
import { NodeError } from '../chain/NodeError.ts'
import type { ClockDeps } from '../clockDeps.ts'
import type { Auction } from '../cutting/cutAuction.ts'
import { toFeePolicyRow } from '../fees/toFeePolicyRow.ts'
import type { Rules } from './computeRules.ts'
import type { RankedSolution } from './pickWinners.ts'

/** A winner that is to settle: what its solver is told. */
export type Attempt = Pick<RankedSolution, 'solver' | 'solutionId'> & {
  auctionId: number
  solutionUid: number
  /** last block in which it may be mined */
  deadlineBlock: number
}

/** No network makes more blocks while solvers think: a node that tells of more would keep the orders in flight for ever. */
const maxNewBlocks = 1_000

export type RecordDeps = Pick<ClockDeps, 'network' | 'database' | 'chain' | 'submissionDeadlineBlocks'> &
  Partial<Pick<Rules, 'deadlineBlocksOf'>>

/**
 * Records a ranked auction and a running attempt for each winner before anybody is told to settle: a crash from here on
 * leaves attempts that the chain decides by their deadline, never an order that could be given out twice.
 * @throws NodeError when the node's head is too far ahead of the auction; Error when the node or the database fails
 */
export const recordAuction = async (
  deps: RecordDeps,
  auction: Auction,
  ranked: readonly RankedSolution[],
  leftOut: readonly LeftOut[],
): Promise<Attempt[]> => {
  const newest = Number(await deps.chain.getBlockNumber())
  if (newest > auction.block + maxNewBlocks) throw new NodeError(`head ${newest}, the auction is of ${auction.block}`)
  // a node that lags must not shorten the time of the winners
  const head = Math.max(newest, auction.block)
  const deadlineOf = (solver: Address) => head + (deps.deadlineBlocksOf?.(solver) ?? deps.submissionDeadlineBlocks)
  const record = buildRecord(auction, ranked, {
    startBlock: head,
    deadlineBlock: head + deps.submissionDeadlineBlocks,
    deadlines: new Map(ranked.map(({ solver }) => [solver, deadlineOf(solver)])),
    leftOut,
  })
  await insertCompetition(deps.database, deps.network.chainId, record)
  return ranked.flatMap(({ isWinner, solver, solutionId }, solutionUid) =>
    isWinner ? [{ solver, solutionId, solutionUid, auctionId: auction.id, deadlineBlock: deadlineOf(solver) }] : [],
  )
}

/** The record of a number that JavaScript cannot hold is −1: only the running attempt uses it. */
const toStoredId = (id: SolutionId): number => (Number.isSafeInteger(Number(id)) ? Number(id) : -1)

const buildRecord = (
  auction: Auction,
  ranked: readonly RankedSolution[],
  facts: Pick<CompetitionRecord, 'startBlock' | 'deadlineBlock' | 'deadlines' | 'leftOut'>,
): CompetitionRecord => {
  // just-in-time orders are nobody's yet: they have no events, and may be in several solutions at once
  const uidsOf = (solutions: readonly RankedSolution[]) =>
    new Set<Hex>(solutions.flatMap(({ orders }) => [...orders.keys()]).filter((uid) => auction.orders.has(uid)))
  const winning = uidsOf(ranked.filter(({ isWinner }) => isWinner))
  const considered = [...uidsOf(ranked.filter(({ filteredOut }) => !filteredOut))].filter((uid) => !winning.has(uid))
  return {
    ...facts,
    auctionId: auction.id,
    block: auction.block,
    prices: auction.body.prices,
    solutions: ranked.map(({ solver, solutionId, isWinner, filteredOut, score, referenceScore }, uid) => ({
      uid,
      solutionId: toStoredId(solutionId),
      solver,
      isWinner,
      filteredOut,
      score,
      referenceScore,
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
