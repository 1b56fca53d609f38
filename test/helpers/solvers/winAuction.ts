import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { insertAuction, insertCompetition, nextAuctionId } from '#schema/queries/auctions/auctions.ts'
import { networks } from '#shared/networks.ts'
import type { SettledFill } from '../chain/settlementChain.ts'

const { chainId } = networks.sepolia

/** Records an auction won by `solver` with `fills`, and its running attempt. */
export const winAuction = async (
  database: Database,
  {
    solver,
    fills,
    deadlineBlock,
    block,
    prices = {},
  }: {
    solver: Address
    fills: SettledFill[]
    deadlineBlock: number
    block: number
    prices?: Record<string, string>
  },
): Promise<number> => {
  const known = fills.filter(({ isJit }) => !isJit)
  const auctionId = await nextAuctionId(database)
  const cut = { id: auctionId, block, prices: {}, transitions: [], entered: [], changed: [], left: [] }
  await insertAuction(database, chainId, cut)
  await insertCompetition(database, chainId, {
    auctionId,
    block,
    startBlock: block,
    deadlineBlock,
    orderCount: fills.length,
    prices,
    provenPrices: prices,
    solutions: [{ uid: 0, solutionId: 5, solver, isWinner: true, filteredOut: false, score: 1n, referenceScore: 0n }],
    solutionOrders: fills.map(({ order, executedSell, executedBuy }) => ({
      solutionUid: 0,
      orderUid: order.uid,
      side: order.kind,
      sellToken: order.sellToken,
      buyToken: order.buyToken,
      limitSell: order.sellAmount,
      limitBuy: order.buyAmount,
      executedSell,
      executedBuy,
    })),
    feePolicies: [],
    transitions: known.map(({ order }) => ({ uid: order.uid, label: 'executing', reason: null })),
    winningOrders: known.map(({ order }) => order.uid),
  })
  return auctionId
}
