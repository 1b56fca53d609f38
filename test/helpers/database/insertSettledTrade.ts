import { type Address, pad, toHex } from 'viem'
import type { Database } from '#schema/client.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'
import { orderUidOf } from './newOrder.ts'

type Terms = {
  sellToken: Address
  buyToken: Address
  /** default: Sepolia's */
  chainId?: number
  /** properties of the settlement; foreign without an auction */
  settlement?: Partial<Pick<typeof settlements.$inferInsert, 'settledAt' | 'auctionId' | 'solutionUid'>>
}

/** Inserts a trade of an atom for an atom as the indexer does, in its own settlement; one per block. */
export const insertSettledTrade = async (
  database: Database,
  blockNumber: number,
  { sellToken, buyToken, chainId = networks.sepolia.chainId, settlement = {} }: Terms,
): Promise<void> => {
  const place = { chainId, blockNumber, transactionHash: pad(toHex(blockNumber), { size: 32 }) }
  await database.insert(trades).values({
    ...place,
    logIndex: 0,
    orderUid: orderUidOf(blockNumber),
    owner: `0x${'9'.repeat(40)}`,
    sellToken,
    buyToken,
    sellAmount: 1n,
    buyAmount: 1n,
    feeAmount: 0n,
    settlementLogIndex: 1,
  })
  await database.insert(settlements).values({
    ...place,
    logIndex: 1,
    solver: `0x${'8'.repeat(40)}`,
    auctionId: null,
    solutionUid: null,
    gasUsed: 1n,
    effectiveGasPrice: 1n,
    ...settlement,
  })
}
