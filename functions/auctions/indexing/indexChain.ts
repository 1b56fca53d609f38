import { type IndexedBlock, selectBlocks, storedBlocks } from '#schema/queries/chain/blocks.ts'
import { noEvents } from '#schema/queries/chain/chainUpdate.ts'
import { updateChain } from '#schema/queries/chain/updateChain.ts'
import { findBlock } from '../chain/findBlock.ts'
import { MissingLogsError, NodeError } from '../chain/NodeError.ts'
import { attributeSettlements } from './attribution/attributeSettlements.ts'
import type { TraceFailures } from './attribution/traceNested.ts'
import type { ReceiptsAbility } from './chain/checkBlockLogs.ts'
import { createHeaderFinder, type FindHeader } from './chain/createHeaderFinder.ts'
import { findChainEvents, type RawChainEvents } from './findChainEvents.ts'
import { findCommonBlocks } from './findCommonBlocks.ts'
import type { IndexingDeps } from './indexingDeps.ts'
import { findPlacedOrders } from './placements/findPlacedOrders.ts'
import { planUndo } from './planUndo.ts'

/** State between calls; initially read from the database. */
export type IndexState = {
  /** as stored, oldest first; undefined when uncertain */
  blocks: IndexedBlock[] | undefined
  /** blocks per request of logs, and mostly per call: halved when the node fails, grows by a quarter when it responds */
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
 * blocks are indexed again in that transaction too, so readers never see the cursor move back, unless more than
 * `storedBlocks` were replaced or the new chain is shorter.
 * @throws Error when the node or the database fails, or a reorganisation needs a decision; the update is atomic
 */
export const indexChain = async (deps: IndexingDeps, state: IndexState): Promise<Indexed> => {
  const { network, database, chain } = deps
  const remembered = state.blocks
  state.blocks = undefined
  const head = await findBlock(chain)
  const findHeader = createHeaderFinder(chain, head)
  const findCommon = async (indexed: readonly IndexedBlock[]) => findCommonBlocks(findHeader, indexed, head)
  const readCommon = async () => findCommon(await selectBlocks(database, network.chainId))
  const recent = remembered && (await findCommon(remembered))
  // the state has no checkpoints
  const common = recent && recent.retained.length > 0 ? recent : await readCommon()
  const { from: undoFrom, parent, depth, isPartial } = await planUndo(deps, common, head, findHeader)
  if (undoFrom !== null) deps.log({ message: 'chain reorganised', from: undoFrom, head: head.number, blocks: depth })
  if (isPartial && parent) {
    await updateChain(database, network.chainId, {
      ...noEvents,
      undoFrom,
      fromBlock: parent.number + 1,
      toBlock: parent.number,
    })
    return { head: parent, caughtUp: false, blocks: 0 }
  }
  if (parent && undoFrom === null && parent.number >= head.number) {
    state.blocks = common.retained
    return { head: parent, caughtUp: true, blocks: 0 }
  }
  const fromBlock = undoFrom ?? (parent ? parent.number + 1 : computeStartBlock(deps.startBlock, head.number))
  const redone = Math.max(1, Math.min(depth, storedBlocks))
  const toBlock = Math.min(head.number, fromBlock + Math.max(state.chunkSize, redone) - 1)

  const range = { fromBlock, toBlock, parent }
  const raw = await readRange(deps, state, range, findHeader).catch((error: unknown) => {
    if (!(error instanceof NodeError)) state.chunkSize = Math.max(1, Math.floor(state.chunkSize / 2))
    throw error
  })
  const placements = raw.onchain.placements.length + raw.conditional.created.length
  if (placements > maxPlacements && toBlock >= fromBlock + redone) {
    state.chunkSize = Math.max(1, Math.floor((toBlock - fromBlock + 1) / 2))
    throw new Error(`blocks ${fromBlock} to ${toBlock} place ${placements} orders: retrying with fewer blocks`)
  }
  const attributions = await attributeSettlements(deps, state.traceFailures, raw, fromBlock)
  const onchainOrders = await findPlacedOrders(deps, raw.onchain, raw.blocks)
  await updateChain(database, network.chainId, { ...raw, ...attributions, onchainOrders, fromBlock, toBlock, undoFrom })

  state.chunkSize = Math.min(maxChunkSize, Math.ceil(state.chunkSize * 1.25))
  state.blocks = [...common.retained.filter(({ number }) => number < fromBlock), ...raw.blocks].filter(
    ({ number }) => number > toBlock - storedBlocks,
  )
  return { head: raw.blocks.at(-1) ?? head, caughtUp: toBlock === head.number, blocks: toBlock - fromBlock + 1 }
}

/**
 * Reads a range of blocks from the nodes as one. When it leaves logs out, each node of `RPC_URL` is tried alone, the last
 * one first, because requests go to the first one that responds.
 * @throws MissingLogsError when all leave logs out
 */
const readRange = async (
  { network, chain, nodes, onchainOrderContracts, log }: IndexingDeps,
  { chunkSize: span, receiptsAbility: ability }: IndexState,
  range: Parameters<typeof findChainEvents>[2],
  findHeader: FindHeader,
): Promise<RawChainEvents> => {
  const contracts = { ...network, onchainOrderContracts }
  try {
    return await findChainEvents(chain, contracts, range, { findHeader, span, ability })
  } catch (error) {
    if (!(error instanceof MissingLogsError) || nodes.length < 2) throw error
    for (const node of nodes.toReversed()) {
      const read = async () => {
        const head = await findBlock(node, range.toBlock)
        const source = { findHeader: createHeaderFinder(node, head), span, ability: { refusals: 0 } }
        return findChainEvents(node, contracts, range, source)
      }
      const found = await read().catch(() => undefined)
      if (!found) continue
      const place = { fromBlock: range.fromBlock, toBlock: range.toBlock, node: nodes.indexOf(node) }
      log({ message: 'blocks read from another node', network: network.name, ...place, cause: error.message })
      return found
    }
    throw error
  }
}

const computeStartBlock = (startBlock: number | undefined, head: number): number =>
  Math.min(startBlock ?? (head <= shortChain ? 0 : head), head)
