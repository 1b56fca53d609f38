import { type IndexedBlock, keptBlocks } from '#schema/queries/chain/blocks.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type ChainBlock, findBlock } from '../chain/findBlock.ts'
import { NodeError } from '../chain/NodeError.ts'

/** What is left of the indexed blocks on the chain of `head`. */
export type CommonBlocks = {
  /** oldest first; empty when nothing is indexed or nothing is left */
  kept: IndexedBlock[]
  /** first indexed block that the chain has replaced; null when it has replaced none */
  undoFrom: number | null
  /** all `keptBlocks` are replaced: how far back the chain was is not known */
  deeperThanKnown: boolean
}

/**
 * Walks back from the newest indexed block to the newest one that the chain still has. A node that lags, whose head is
 * an indexed block, replaces nothing. Nor does a shorter chain before it has grown as long as what is indexed: until then
 * it may as well be the node that is behind.
 * @param indexed oldest first, without gaps
 * @throws NodeError when the head is on a shorter chain, or older than everything that is known
 */
export const findCommonBlocks = async (
  chain: ChainClient,
  indexed: readonly IndexedBlock[],
  head: ChainBlock,
): Promise<CommonBlocks> => {
  const oldest = indexed[0]
  if (!oldest) return { kept: [], undoFrom: null, deeperThanKnown: false }
  if (indexed.some(({ number, hash }) => number === head.number && hash === head.hash)) {
    return { kept: [...indexed], undoFrom: null, deeperThanKnown: false }
  }
  const newest = (indexed.at(-1) ?? oldest).number
  if (head.number < newest)
    throw new NodeError(`the node is at block ${head.number}, indexed are blocks up to ${newest}`)
  const kept = [...indexed]
  for (let last = kept.at(-1); last; last = kept.at(-1)) {
    if (last.number < head.number && (await findHash(chain, last.number, head)) === last.hash) break
    kept.pop()
  }
  const undone = indexed[kept.length]
  return {
    kept,
    undoFrom: undone ? undone.number : null,
    deeperThanKnown: kept.length === 0 && indexed.length >= keptBlocks,
  }
}

const findHash = async (chain: ChainClient, number: number, head: ChainBlock) =>
  number === head.number - 1 ? head.parentHash : (await findBlock(chain, number)).hash
