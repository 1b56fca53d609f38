import { type IndexedBlock, storedBlocks } from '#schema/queries/chain/blocks.ts'
import type { ChainBlock } from '../chain/findBlock.ts'
import { NodeError } from '../chain/NodeError.ts'
import type { FindHeader } from './chain/createHeaderFinder.ts'

/** The indexed blocks that are part of the chain of `head`. */
export type CommonBlocks = {
  /** oldest first; empty when nothing is indexed or all blocks were replaced */
  retained: IndexedBlock[]
  /** the others, oldest first */
  replaced: IndexedBlock[]
  /** first block to undo; null when none was replaced */
  undoFrom: number | null
  /** whether the depth of the reorganisation is unknown, because all stored blocks were replaced */
  deeperThanKnown: boolean
}

/** A shorter chain is believed when its head is this much newer than the newest indexed block: its node is not behind. */
const believedAfterMs = 60_000

/**
 * Finds the newest indexed block that is still on the chain. A lagging node, whose head is an indexed block, replaces
 * nothing. Neither does a shorter chain until it is as long as the indexed one or its head is newer by
 * `believedAfterMs`: until then the node may be behind.
 * @param indexed oldest first; blocks between them may be missing
 * @throws NodeError when the head is on a shorter chain, or older than all known blocks
 */
export const findCommonBlocks = async (
  findHeader: FindHeader,
  indexed: readonly IndexedBlock[],
  head: ChainBlock,
): Promise<CommonBlocks> => {
  const newest = indexed.at(-1)
  const isHeadIndexed = indexed.some(({ number, hash }) => number === head.number && hash === head.hash)
  if (!newest || isHeadIndexed) return { retained: [...indexed], replaced: [], undoFrom: null, deeperThanKnown: false }
  if (head.number < newest.number && !isBelieved(head, indexed, newest))
    throw new NodeError(`the node is at block ${head.number}, indexed are blocks up to ${newest.number}`)
  const count = await countCommon(
    indexed,
    async ({ number, hash }) => number < head.number && (await findHeader(number + 1)).parentHash === hash,
  )
  const [retained, replaced] = [indexed.slice(0, count), indexed.slice(count)]
  const [firstReplaced] = replaced
  const parent = retained.at(-1)
  return {
    retained,
    replaced,
    undoFrom: firstReplaced ? (parent?.number ?? firstReplaced.number - 1) + 1 : null,
    deeperThanKnown:
      firstReplaced !== undefined && count === 0 && newest.number - firstReplaced.number + 1 >= storedBlocks,
  }
}

const isBelieved = (head: ChainBlock, indexed: readonly IndexedBlock[], newest: IndexedBlock): boolean => {
  const [oldest = newest] = indexed
  return head.number >= oldest.number && head.timestamp.getTime() > newest.timestamp.getTime() + believedAfterMs
}

/**
 * Number of blocks on the chain, which are the first ones. Looks at the newest blocks first, then twice as far back each
 * time, because most reorganisations are short.
 */
const countCommon = async (
  blocks: readonly IndexedBlock[],
  isOnChain: (block: IndexedBlock) => Promise<boolean>,
): Promise<number> => {
  const isCommon = async (index: number): Promise<boolean> => {
    const block = blocks[index]
    return block !== undefined && (await isOnChain(block))
  }
  let known = 0
  let limit = blocks.length
  for (let step = 1; known < limit; step *= 2) {
    const index = Math.max(0, limit - step)
    if (await isCommon(index)) known = index + 1
    else limit = index
    if (known > 0) break
  }
  while (known < limit) {
    const index = Math.floor((known + limit) / 2)
    if (await isCommon(index)) known = index + 1
    else limit = index
  }
  return known
}
