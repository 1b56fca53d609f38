import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type ChainBlock, findBlock } from '../../chain/findBlock.ts'

/** Finds a header by number, each one once. */
export type FindHeader = (number: number) => Promise<ChainBlock>

/**
 * Headers of one pass of the index, requested at most once each.
 * @param head known header
 */
export const createHeaderFinder = (chain: ChainClient, head: ChainBlock): FindHeader => {
  const headers = new Map([[head.number, Promise.resolve(head)]])
  return (number) => {
    const header = headers.get(number) ?? findBlock(chain, number)
    headers.set(number, header)
    return header
  }
}
