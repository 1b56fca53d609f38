import { type IndexedBlock, keptBlocks } from '#schema/queries/chain/blocks.ts'
import type { FindHeader } from '../chain/createHeaderFinder.ts'
import type { ChainBlock } from '../chain/findBlock.ts'
import { NodeError } from '../chain/NodeError.ts'

/** The indexed blocks that are part of the chain of `head`. */
export type CommonBlocks = {
  /** oldest first; empty when nothing is indexed or all blocks were replaced */
  kept: IndexedBlock[]
  /** first replaced block; null when none was replaced */
  undoFrom: number | null
  /** whether all `keptBlocks` were replaced: the depth of the reorganisation is unknown */
  deeperThanKnown: boolean
}

/**
 * Walks back from the newest indexed block to the newest one that is still on the chain. A lagging node, whose head is
 * an indexed block, replaces nothing. Neither does a shorter chain until it is as long as the indexed one: until then
 * the node may be behind.
 * @param indexed oldest first, without gaps
 * @throws NodeError when the head is on a shorter chain, or older than all known blocks
 */
export const findCommonBlocks = async (
  findHeader: FindHeader,
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
    if (last.number < head.number && (await findHeader(last.number + 1)).parentHash === last.hash) break
    kept.pop()
  }
  const undone = indexed[kept.length]
  return {
    kept,
    undoFrom: undone ? undone.number : null,
    deeperThanKnown: kept.length === 0 && indexed.length >= keptBlocks,
  }
}
