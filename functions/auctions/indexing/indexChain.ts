import { type IndexedBlock, keptBlocks, selectBlocks } from '#schema/queries/chain/blocks.ts'
import { updateChain } from '#schema/queries/chain/chainEvents.ts'
import { createHeaderFinder } from '../chain/createHeaderFinder.ts'
import { findBlock } from '../chain/findBlock.ts'
import type { ReceiptsAbility } from '../chain/findLogs.ts'
import { NodeError } from '../chain/NodeError.ts'
import type { ClockDeps } from '../clockDeps.ts'
import { attributeSettlements, type TraceFailures } from './attributeSettlements.ts'
import { findChainEvents } from './findChainEvents.ts'
import { type CommonBlocks, findCommonBlocks } from './findCommonBlocks.ts'
import { findPlacedOrders } from './findPlacedOrders.ts'

export type IndexChainDeps = Pick<
  ClockDeps,
  | 'network'
  | 'database'
  | 'chain'
  | 'log'
  | 'startBlock'
  | 'reindexFrom'
  | 'onchainOrderContracts'
  | 'unsupportedTokens'
>

/** State between calls; initially read from the database. */
export type IndexState = {
  /** as stored, oldest first; undefined when uncertain */
  blocks: IndexedBlock[] | undefined
  /** blocks per request: halved when the node fails, grows by a quarter when it responds */
  chunkSize: number
  traceFailures: TraceFailures
  receiptsAbility: ReceiptsAbility
}

/** Progress of the index: `head` is the newest indexed block, `blocks` the number added by this call. */
export type Indexed = { head: IndexedBlock; caughtUp: boolean; blocks: number }

const maxChunkSize = 500
/** A chain up to this height is indexed from its first block. */
const shortChain = 10_000
/** Maximum number of on-chain orders indexed at once, unless one block has more. */
const maxPlacements = 2_000

export const createIndexState = (): IndexState => ({
  blocks: undefined,
  chunkSize: maxChunkSize,
  traceFailures: new Map(),
  receiptsAbility: { refusals: 0 },
})

/**
 * Indexes the chain up to its head, or one chunk closer to it: reverts blocks that a reorganisation replaced, then adds
 * events, executed amounts, attributions and outcomes of attempts, with the cursor in the same transaction. Reverted
 * blocks are indexed again in that transaction too, so readers never see the cursor move back.
 * @throws Error when the node or the database fails, or the reorganisation is too deep; the update is atomic
 */
export const indexChain = async (deps: IndexChainDeps, state: IndexState): Promise<Indexed> => {
  const { network, database, chain } = deps
  const indexed = state.blocks ?? (await selectBlocks(database, network.chainId))
  state.blocks = undefined
  const head = await findBlock(chain)
  const findHeader = createHeaderFinder(chain, head)
  const common = await findCommonBlocks(findHeader, indexed, head)
  const { kept } = common
  const undoFrom = computeUndoFrom(deps, common)
  const parent = kept.at(-1)
  if (parent && undoFrom === null && parent.number >= head.number) {
    state.blocks = kept
    return { head: parent, caughtUp: true, blocks: 0 }
  }
  const fromBlock = undoFrom ?? (parent ? parent.number + 1 : computeStartBlock(deps.startBlock, head.number))
  const replaced = undoFrom === null || common.deeperThanKnown ? 0 : indexed.length - kept.length
  const toBlock = Math.min(head.number, fromBlock + Math.max(state.chunkSize, replaced) - 1)
  if (undoFrom !== null) deps.log({ message: 'chain reorganised', from: undoFrom, head: head.number, blocks: replaced })

  const range = { fromBlock, toBlock, parent }
  const node = { findHeader, ability: state.receiptsAbility }
  const contracts = { ...network, onchainOrderContracts: deps.onchainOrderContracts }
  const raw = await findChainEvents(chain, contracts, range, node).catch((error: unknown) => {
    if (!(error instanceof NodeError)) state.chunkSize = Math.max(1, Math.floor(state.chunkSize / 2))
    throw error
  })
  const placements = raw.onchain.placements.length
  if (placements > maxPlacements && undoFrom === null && toBlock > fromBlock) {
    state.chunkSize = Math.max(1, Math.floor((toBlock - fromBlock + 1) / 2))
    throw new Error(`blocks ${fromBlock} to ${toBlock} place ${placements} orders: retrying with fewer blocks`)
  }
  const attributions = await attributeSettlements(deps, state.traceFailures, raw, fromBlock)
  const onchainOrders = await findPlacedOrders(deps, raw.onchain, raw.blocks)
  await updateChain(database, network.chainId, { ...raw, ...attributions, onchainOrders, fromBlock, toBlock, undoFrom })

  state.chunkSize = Math.min(maxChunkSize, Math.ceil(state.chunkSize * 1.25))
  state.blocks = [...kept, ...raw.blocks].filter(({ number }) => number > toBlock - keptBlocks)
  return { head: raw.blocks.at(-1) ?? head, caughtUp: toBlock === head.number, blocks: toBlock - fromBlock + 1 }
}

/**
 * First block to revert. More blocks are kept than any network reorganises: when all of them are replaced, the node
 * most likely serves another chain, and the operator must confirm that it does not.
 */
const computeUndoFrom = (
  { reindexFrom }: IndexChainDeps,
  { undoFrom, deeperThanKnown }: CommonBlocks,
): number | null => {
  if (undoFrom === null || !deeperThanKnown) return undoFrom
  if (reindexFrom !== undefined) return Math.min(reindexFrom, undoFrom)
  throw new NodeError(
    `none of the last ${keptBlocks} indexed blocks, from ${undoFrom} on, is on the chain of RPC_URL. If that is the right` +
      ' chain and was reorganised this deeply, set REINDEX_FROM to a block before the fork',
  )
}

const computeStartBlock = (startBlock: number | undefined, head: number): number =>
  Math.min(startBlock ?? (head <= shortChain ? 0 : head), head)
