import type { Hex } from 'viem'
import type { Pool } from './pool.ts'

/** pairs of tokens above which the pools of a block are dropped */
const maxPairs = 128

/** Facts of one block, shared by quotes and auctions. */
export type BlockFacts = {
  /** pools by `toPairKey`, an empty list for a pair without any */
  pools: Map<string, readonly Pool[]>
  /** wei per gas unit */
  gasPrice: bigint | undefined
}

export type BlockMemory = {
  /** Returns the cached facts of a block; facts of other blocks are dropped. */
  recall: (block: { number: bigint; hash: Hex }) => BlockFacts
}

const createFacts = (): BlockFacts => ({ pools: new Map(), gasPrice: undefined })

/**
 * Caches facts of the newest block in the isolate. Only values are shared between requests: workerd forbids a request
 * to wait for another one's I/O. A lagging node gets separate facts, which are not cached.
 */
export const createBlockMemory = (): BlockMemory => {
  let newest: { number: bigint; hash: Hex } | undefined
  let facts = createFacts()
  return {
    recall: (block) => {
      if (newest && block.number < newest.number) return createFacts()
      if (block.hash !== newest?.hash || facts.pools.size > maxPairs) facts = createFacts()
      newest = block
      return facts
    },
  }
}
