import { type IndexedBlock, storedBlocks } from '#schema/queries/chain/blocks.ts'
import type { ChainBlock } from '../chain/findBlock.ts'
import { NodeError } from '../chain/NodeError.ts'
import type { FindHeader } from './chain/createHeaderFinder.ts'
import { checkAgreement } from './checkAgreement.ts'
import type { CommonBlocks } from './findCommonBlocks.ts'
import type { IndexingDeps } from './indexingDeps.ts'

/** Blocks to undo in one transaction. */
export type Undo = {
  /** first block to undo; null when nothing is undone */
  from: number | null
  /** newest stored block before `from` */
  parent: IndexedBlock | undefined
  /** number of indexed blocks from `from` on; 0 when unknown */
  depth: number
  /** whether more blocks are to be undone before others are indexed */
  isPartial: boolean
}

/** Blocks undone at once, where checkpoints allow it. */
const maxUndone = 500
/** Undone without an operator; competitions are archived after at least a day more (`ARCHIVE_AFTER_DAYS`). */
const maxUndoneSeconds = 7 * 86_400

/**
 * Plans the next step of undoing replaced blocks. Up to `storedBlocks` they are undone at once. More are undone only when
 * at least half of the nodes of `RPC_URL` confirm it, and more than contradict it, so that one wrong node cannot undo
 * days and one dead node delays nothing. They are undone in steps, newest blocks first: after each step an older stored block is
 * the cursor, and the next call continues from there.
 * @throws NodeError when the operator must decide, or when a node contradicts
 */
export const planUndo = async (
  { reindexFrom, nodes }: Pick<IndexingDeps, 'reindexFrom' | 'nodes'>,
  { retained, replaced, undoFrom, deeperThanKnown }: CommonBlocks,
  head: ChainBlock,
  findHeader: FindHeader,
): Promise<Undo> => {
  const parent = retained.at(-1)
  const newest = replaced.at(-1)
  if (undoFrom === null || !newest) return { from: null, parent, depth: 0, isPartial: false }
  const ageSeconds = parent ? (head.timestamp.getTime() - parent.timestamp.getTime()) / 1_000 : 0
  const depth = newest.number - undoFrom + 1
  if (deeperThanKnown || (depth > storedBlocks && ageSeconds > maxUndoneSeconds)) {
    if (reindexFrom === undefined) throw new NodeError(describeUnknown(retained, replaced))
    const from = Math.min(reindexFrom, undoFrom)
    return { from, parent: from === undoFrom ? parent : undefined, depth: 0, isPartial: false }
  }
  if (depth > storedBlocks) await checkAgreement(nodes, replaced, findHeader)
  const stop = depth > maxUndone ? findStop(replaced, newest.number) : undefined
  if (!stop) return { from: undoFrom, parent, depth, isPartial: false }
  return { from: stop.number + 1, parent: stop, depth: newest.number - stop.number, isPartial: true }
}

/** The lowest replaced block that is at most `maxUndone` below the newest, else the next lower one. */
const findStop = (replaced: readonly IndexedBlock[], newest: number): IndexedBlock | undefined => {
  const lower = replaced.slice(0, -1)
  return lower.find(({ number }) => number >= newest - maxUndone) ?? lower.at(-1)
}

const describeUnknown = (retained: readonly IndexedBlock[], replaced: readonly IndexedBlock[]): string => {
  const [oldest] = replaced
  const fork = retained.at(-1)
  const known = fork
    ? `the newest indexed block on the chain of RPC_URL is ${fork.number}, of ${fork.timestamp.toISOString()}`
    : `none of the indexed blocks from ${oldest?.number} on is on the chain of RPC_URL`
  const limit = fork ? `, at most ${fork.number + 1}` : ''
  return `${known}. If that is the right chain and was reorganised this deeply, set REINDEX_FROM to a block before the fork${limit}`
}
