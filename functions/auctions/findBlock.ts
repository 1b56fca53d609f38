import type { Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/blocks.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'

export type ChainBlock = IndexedBlock & { parentHash: Hex }

/** A block's header, of the head when no number is given. */
export const findBlock = async (chain: ChainClient, number?: number): Promise<ChainBlock> => {
  const block = await chain.getBlock(number === undefined ? { blockTag: 'latest' } : { blockNumber: BigInt(number) })
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: new Date(Number(block.timestamp) * 1000),
  }
}
