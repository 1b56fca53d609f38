import type { Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { NodeError } from './NodeError.ts'

export type ChainBlock = IndexedBlock & {
  parentHash: Hex
  /** filter of the addresses and topics of all its logs; `0x` without one */
  logsBloom: Hex
}

/**
 * Finds a block header, by default that of the head.
 * @throws NodeError when the node returns another block than requested
 */
export const findBlock = async (chain: ChainClient, number?: number): Promise<ChainBlock> => {
  const block = await chain.getBlock(number === undefined ? { blockTag: 'latest' } : { blockNumber: BigInt(number) })
  if (block.hash === null || block.number === null || Number(block.number) !== (number ?? Number(block.number))) {
    throw new NodeError(`requested block ${number ?? 'latest'}, got ${block.number}`)
  }
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: new Date(Number(block.timestamp) * 1000),
    logsBloom: block.logsBloom ?? '0x',
  }
}
