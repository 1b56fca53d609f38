import type { Pool } from './pool.ts'

/** Pairs of tokens whose pools are remembered. */
const maxPairs = 128

/** Facts of one block that many quotes need. */
export type BlockFacts = {
  /** pools by `toPairKey`, an empty list for a pair without any */
  pools: Map<string, readonly Pool[]>
  /** wei per gas unit */
  gasPrice: bigint | undefined
}

export type BlockMemory = {
  /** Facts that are known of a block; facts of older blocks are forgotten. */
  recall: (block: bigint) => BlockFacts
}

const createFacts = (): BlockFacts => ({ pools: new Map(), gasPrice: undefined })

/**
 * Remembers facts of the newest block in the isolate. Only values are shared between requests: workerd lets no request wait for
 * what another one reads. A node that lags behind gets facts of its own, which are not remembered.
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
