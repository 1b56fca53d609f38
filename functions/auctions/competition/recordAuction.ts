import type { Address, Hex } from 'viem'
import { insertCompetition } from '#schema/queries/auctions/auctions.ts'
import type { LeftOut } from '#schema/tables/auctions/auctions.ts'
import type { Auction } from '../auction.ts'
import { NodeError } from '../chain/NodeError.ts'
import { buildCompetitionRecord } from './buildCompetitionRecord.ts'
import type { CompetitionDeps } from './competitionDeps.ts'
import type { RankedSolution } from './pickWinners.ts'
import type { Rules } from './rules.ts'

/** Settle request of a winner. */
export type Attempt = Pick<RankedSolution, 'solver' | 'solutionId'> & {
  auctionId: number
  solutionUid: number
  /** head when the auction was decided */
  startBlock: number
  /** last block in which the settlement may be mined */
  deadlineBlock: number
  /** of its settlement, as revealed */
  calldata: Hex | undefined
  orders: readonly Hex[]
}

/**
 * Maximum number of new blocks during a competition. A node that reports a head further ahead would leave the
 * orders in flight forever.
 */
const maxNewBlocks = 1_000

export type RecordDeps = Pick<CompetitionDeps, 'network' | 'database' | 'chain'> & Pick<Rules, 'deadlineBlocksOf'>

/**
 * Records a ranked auction and a running attempt for each winner before any settle request: after a crash the chain
 * decides the attempts by their deadline, and no order can be awarded twice.
 * @throws NodeError when the node's head is too far ahead of the auction; Error when the node or the database fails
 */
export const recordAuction = async (
  deps: RecordDeps,
  auction: Auction,
  ranked: readonly RankedSolution[],
  leftOut: readonly LeftOut[],
  calldataOf: (winner: RankedSolution) => Hex | undefined,
): Promise<Attempt[]> => {
  const newest = Number(await deps.chain.getBlockNumber())
  if (newest > auction.block + maxNewBlocks) throw new NodeError(`head ${newest}, the auction is of ${auction.block}`)
  // a lagging node must not shorten the winners' deadline
  const head = Math.max(newest, auction.block)
  const deadlineOf = (solver: Address) => head + deps.deadlineBlocksOf(solver)
  const winners = ranked.filter(({ isWinner }) => isWinner)
  const prices = pickPrices(auction, ranked, deps.network.wrappedNative)
  const record = buildCompetitionRecord(auction, ranked, {
    startBlock: head,
    // one deadline everywhere: the auction ends with the last of its winners
    deadlineBlock: Math.max(...(winners.length > 0 ? winners : ranked).map(({ solver }) => deadlineOf(solver))),
    deadlines: new Map(ranked.map(({ solver }) => [solver, deadlineOf(solver)])),
    leftOut,
    prices,
    provenPrices: Object.fromEntries(Object.entries(prices).filter(([token]) => auction.proven.has(token as Address))),
  })
  await insertCompetition(deps.database, deps.network.chainId, record)
  return ranked.flatMap((winner, solutionUid) => {
    const { isWinner, solver, solutionId, orders } = winner
    if (!isWinner) return []
    const calldata = calldataOf(winner)
    return [
      {
        ...{ solver, solutionId, solutionUid, auctionId: auction.id, calldata, orders: [...orders.keys()] },
        ...{ startBlock: head, deadlineBlock: deadlineOf(solver) },
      },
    ]
  })
}

/**
 * Prices of the tokens that a solution touches, and of the wrapped native token. The others are most of an auction's
 * size, and nothing reads them after the competition.
 */
const pickPrices = (
  { body, orders }: Auction,
  ranked: readonly RankedSolution[],
  wrappedNative: Address,
): Record<string, string> => {
  const touched = ranked.flatMap((solution) =>
    [...solution.orders].flatMap(([uid, order]) =>
      [order, orders.get(uid)].flatMap((each) => (each ? [each.sellToken, each.buyToken] : [])),
    ),
  )
  const tokens = new Set<string>([wrappedNative, ...touched])
  return Object.fromEntries(Object.entries(body.prices).filter(([token]) => tokens.has(token)))
}
