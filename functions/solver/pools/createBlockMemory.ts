import type { Pool } from './pool.ts'

/** Maximum pairs of tokens whose pools are cached. */
const maxPairs = 128

/** Facts of one block, shared by many quotes. */
export type BlockFacts = {
  /** pools by `toPairKey`, an empty list for a pair without any */
  pools: Map<string, readonly Pool[]>
  /** wei per gas unit */
  gasPrice: bigint | undefined
}

export type BlockMemory = {
  /** Returns the cached facts of a block; facts of older blocks are dropped. */
  recall: (block: bigint) => BlockFacts
}

const createFacts = (): BlockFacts => ({ pools: new Map(), gasPrice: undefined })

/**
 * Caches facts of the newest block in the isolate. Only values are shared between requests: workerd forbids a request
 * to wait for another one's I/O. A lagging node gets separate facts, which are not cached.
 */
export const createBlockMemory = (): BlockMemory => {
  let newest = -1n
  let facts = createFacts()
  return {
    recall: (block) => {
      if (block < newest) return createFacts()
      if (block > newest || facts.pools.size > maxPairs) facts = createFacts()
      newest = block
      return facts
    },
  }
}
