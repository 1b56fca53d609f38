import { type Address, type Hex, pad, toHex } from 'viem'
import type { Database } from '#schema/client.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { newOrder, orderUidOf } from './newOrder.ts'

const { owner, sellToken, buyToken } = newOrder(1)

type Place = { blockNumber: number; logIndex: number; transactionHash: Hex }
const placeOf = (blockNumber: number, logIndex: number): Place => ({
  ...{ blockNumber, logIndex, transactionHash: pad(toHex(blockNumber), { size: 32 }) },
})

/** A trade of an atom for an atom as the indexer reads it, by the owner of `newOrder`, for the order with the block as seed. */
export const newTrade = (blockNumber: number, changes: Partial<Omit<typeof trades.$inferInsert, 'chainId'>> = {}) => ({
  ...placeOf(blockNumber, 0),
  orderUid: orderUidOf(blockNumber),
  owner,
  sellToken,
  buyToken,
  sellAmount: 1n,
  buyAmount: 1n,
  feeAmount: 0n,
  settlementLogIndex: 1,
  ...changes,
})

/** The settlement of `newTrade`; foreign without an auction. */
export const newSettlement = (
  blockNumber: number,
  changes: Partial<Omit<typeof settlements.$inferInsert, 'chainId'>> = {},
) => ({
  ...placeOf(blockNumber, 1),
  solver: `0x${'8'.repeat(40)}` as Address,
  auctionId: null,
  solutionUid: null,
  gasUsed: 1n,
  effectiveGasPrice: 1n,
  ...changes,
})

type Terms = {
  sellToken: Address
  buyToken: Address
  /** default: Sepolia's */
  chainId?: number
  settlement?: Parameters<typeof newSettlement>[1]
}

/** Inserts a trade as the indexer does, in its own settlement; one per block. */
export const insertSettledTrade = async (
  database: Database,
  blockNumber: number,
  { sellToken, buyToken, chainId = networks.sepolia.chainId, settlement }: Terms,
): Promise<void> => {
  await database.insert(trades).values({ chainId, ...newTrade(blockNumber, { sellToken, buyToken }) })
  await database.insert(settlements).values({ chainId, ...newSettlement(blockNumber, settlement) })
}
