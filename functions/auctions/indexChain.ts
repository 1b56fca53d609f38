import { type IndexedBlock, keptBlocks, selectBlocks } from '#schema/queries/blocks.ts'
import { type ChainEvents, updateChain } from '#schema/queries/chainEvents.ts'
import { selectWinningSolutions } from '#schema/queries/solutions.ts'
import { decodeSettlement } from '#shared/solvers/decodeSettlement.ts'
import { attributeSettlement } from './attributeSettlement.ts'
import type { ClockDeps } from './clockDeps.ts'
import { findBlock } from './findBlock.ts'
import { findChainEvents, type RawChainEvents } from './findChainEvents.ts'
import { findCommonBlocks } from './findCommonBlocks.ts'

export type IndexDeps = Pick<ClockDeps, 'network' | 'database' | 'chain' | 'log' | 'startBlock'>

/** What one call leaves for the next; a fresh one is read from the database. */
export type IndexState = {
  /** as the database has them, oldest first; undefined when that is not certain */
  blocks: IndexedBlock[] | undefined
  /** blocks asked for at once: halves when the node fails, grows back when it answers */
  chunkSize: number
}

/** How far the database is: `head` is the newest indexed block. */
export type Indexed = { head: IndexedBlock; caughtUp: boolean }

const maxChunkSize = 500
/** A chain up to this height is indexed from its first block. */
const shortChain = 10_000

export const createIndexState = (): IndexState => ({ blocks: undefined, chunkSize: maxChunkSize })

/**
 * Brings the database up to the head of the chain, or one chunk closer to it: undoes blocks that a reorganisation replaced,
 * then adds events, executed amounts, attributions and outcomes of attempts, with the cursor in the same transaction.
 * @throws Error when the node or the database fails; the database is then as before or as after, never between
 */
export const indexChain = async (deps: IndexDeps, state: IndexState): Promise<Indexed> => {
  const { network, database, chain } = deps
  const indexed = state.blocks ?? (await selectBlocks(database, network.chainId))
  state.blocks = undefined
  const head = await findBlock(chain)
  const { kept, undoFrom, deeperThanKnown } = await findCommonBlocks(chain, indexed, head)
  const parent = kept.at(-1)
  if (parent && undoFrom === null && parent.number >= head.number) {
    state.blocks = kept
    return { head: parent, caughtUp: true }
  }
  const fromBlock = parent ? parent.number + 1 : (undoFrom ?? computeStartBlock(deps.startBlock, head.number))
  const toBlock = Math.min(head.number, fromBlock + state.chunkSize - 1)
  if (undoFrom !== null) deps.log({ message: 'chain reorganised', from: undoFrom, head: head.number, deeperThanKnown })

  const range = { fromBlock, toBlock, parent, head }
  const raw = await findChainEvents(chain, network.settlementContract, range).catch((error: unknown) => {
    state.chunkSize = Math.max(1, Math.floor(state.chunkSize / 2))
    throw error
  })
  const update = { ...raw, ...(await attributeAll(deps, raw)), fromBlock, toBlock, undoFrom }
  await updateChain(database, network.chainId, update)

  state.chunkSize = Math.min(maxChunkSize, state.chunkSize * 2)
  state.blocks = [...kept, ...raw.blocks].filter(({ number }) => number > toBlock - keptBlocks)
  return { head: raw.blocks.at(-1) ?? head, caughtUp: toBlock === head.number }
}

const computeStartBlock = (startBlock: number | undefined, head: number): number =>
  Math.min(startBlock ?? (head <= shortChain ? 0 : head), head)

const attributeAll = async (
  { network, database }: IndexDeps,
  { settlements, trades }: RawChainEvents,
): Promise<Pick<ChainEvents, 'settlements' | 'executions'>> => {
  const settled = settlements.map((settlement) => ({
    ...settlement,
    decoded: decodeSettlement(settlement.transaction.input),
    trades: trades.filter(
      (trade) => trade.blockNumber === settlement.blockNumber && trade.settlementLogIndex === settlement.logIndex,
    ),
  }))
  const auctionIds = settled.flatMap(({ decoded }) => {
    const id = Number(decoded?.auctionId ?? -1)
    return Number.isSafeInteger(id) && id >= 0 ? [id] : []
  })
  const winners = await selectWinningSolutions(database, network.chainId, auctionIds)
  const found: Pick<ChainEvents, 'settlements' | 'executions'> = { settlements: [], executions: [] }
  for (const settlement of settled) {
    const { blockNumber, logIndex, solver, transaction } = settlement
    const attribution = attributeSettlement(settlement, winners)
    found.settlements.push({
      blockNumber,
      logIndex,
      transactionHash: transaction.hash,
      solver,
      auctionId: attribution?.auctionId ?? null,
      solutionUid: attribution?.solutionUid ?? null,
      gasUsed: transaction.gasUsed,
      effectiveGasPrice: transaction.effectiveGasPrice,
    })
    const sellTokens = new Map(settlement.trades.map(({ orderUid, sellToken }) => [orderUid, sellToken]))
    for (const { orderUid, executedFee } of attribution?.executedFees ?? []) {
      const executedFeeToken = sellTokens.get(orderUid)
      if (!attribution || !executedFeeToken) continue
      found.executions.push({
        auctionId: attribution.auctionId,
        orderUid,
        blockNumber,
        executedFee,
        executedFeeToken,
        protocolFees: [],
      })
    }
  }
  return found
}
