import type { Hex } from 'viem'
import type { IndexedBlock } from '#schema/queries/chain/blocks.ts'
import {
  type ComparedOrder,
  type ComparisonTurn,
  selectComparedOrders,
  selectIndexedEvents,
} from '#schema/queries/chain/comparedOrders.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { callTogether } from '#shared/chain/calls/callTogether.ts'
import { toSettlementCall } from '#shared/orders/chainFacts/toSettlementCall.ts'
import type { IndexingDeps } from '../indexingDeps.ts'
import { findMissedEvent } from './findMissedEvent.ts'
import { readAgain } from './readAgain.ts'

/** Orders in turn, and orders of attempts, compared per pass. */
const comparedAtOnce = 100
/** Blocks after the failure of an attempt during which its orders are compared. */
const failedBlocks = 64
/** Blocks searched for a missed event, from the head back. */
const searchedBlocks = 50_000
/** Differing orders remembered. */
const maxSuspects = 100
/** Gas units of one look-up, with room for any network. */
const gasEach = 100_000n
/** `eth_call`s of one pass. */
const maxRequests = 4

/** An order whose executed amount differs from the chain's. */
type Suspect = {
  order: ComparedOrder
  /** atoms; the largest integer after an invalidation */
  filled: bigint
  /** seen in two passes: one may have seen a block that is being replaced */
  isConfirmed: boolean
  /** lowest block searched; undefined: none */
  searchedTo: number | undefined
}

/**
 * Compares the index with the chain's `filledAmount`, because a node may leave out logs without a contradiction.
 *
 * Each pass compares the orders of attempts that run or failed, so that a mined settlement of a solver is never unknown
 * for long, and a number of open orders in turn. A difference that lasts for two passes is logged and searched for, one
 * range of blocks per pass at each node (`findMissedEvent`); the block with the missed event is read again
 * (`readAgain`).
 *
 * A partially fillable order may have been filled before the first indexed block: its difference raises no alarm.
 */
export const createComparison = (deps: IndexingDeps): Comparison => {
  const { network, database, chain, log } = deps
  const { chainId, settlementContract } = network
  const suspects = new Map<Hex, Suspect>()
  /** partially fillable orders with fills that no node knows, with the amount that the index lacks */
  const unexplained = new Map<Hex, bigint>()
  let turn: ComparisonTurn = firstTurn

  const compare = async (head: IndexedBlock): Promise<void> => {
    const now = Math.floor(head.timestamp.getTime() / 1_000)
    const which = { failedFrom: head.number - failedBlocks, turn, now, limit: comparedAtOnce }
    const orders = await selectComparedOrders(database, chainId, which, [...suspects.keys()])
    const calls = orders.map(({ uid }) => {
      const { data } = toSettlementCall(settlementContract, 'filledAmount', uid)
      return { target: settlementContract, callData: data }
    })
    const bounds = { gasEach, maxRequests, blockNumber: BigInt(head.number) }
    const outcomes = calls.length === 0 ? [] : await callTogether(chain, calls, bounds)
    turn = findTurnEnd(orders)
    const present = new Set(orders.map(({ uid }) => uid))
    for (const uid of suspects.keys()) if (!present.has(uid)) suspects.delete(uid)
    for (const [i, order] of orders.entries()) {
      const outcome = outcomes[i]
      if (outcome?.length === 66) judge(order, BigInt(outcome), head)
    }
  }

  const judge = (order: ComparedOrder, filled: bigint, head: IndexedBlock): void => {
    const { uid, executed } = order
    const suspect = suspects.get(uid)
    const isExplained = filled === executed || unexplained.get(uid) === filled - executed
    // the contract frees the amounts of expired orders
    const isFreed = filled < executed && order.lastValid < head.timestamp.getTime() / 1_000
    if (isExplained || isFreed) {
      if (suspect?.isConfirmed) log({ message: 'chain difference repaired', network: network.name, order: uid })
      suspects.delete(uid)
    } else if (suspect) {
      if (!suspect.isConfirmed)
        log({ message: 'chain differs', network: network.name, order: uid, ...toAmounts({ order, filled }) })
      Object.assign(suspect, { order, filled, isConfirmed: true })
    } else {
      const found: Suspect = { order, filled, isConfirmed: false, searchedTo: undefined }
      // anyone may have old fills of a partially fillable order: these make room for a certain difference
      const [other] = [...suspects].find(([, each]) => mayPrecedeIndex(each)) ?? []
      if (suspects.size >= maxSuspects && other && !mayPrecedeIndex(found)) suspects.delete(other)
      if (suspects.size < maxSuspects) suspects.set(uid, found)
    }
  }

  /** Continues one search, in turn: one that fails or never ends delays no other. */
  const search = async (head: IndexedBlock, span: number): Promise<void> => {
    const suspect = [...suspects.values()].find(
      ({ isConfirmed, filled, order }) => isConfirmed && filled > order.executed,
    )
    if (!suspect) return
    const { order } = suspect
    suspects.delete(order.uid)
    suspects.set(order.uid, suspect)
    const toBlock = suspect.searchedTo === undefined ? head.number : suspect.searchedTo - 1
    const fromBlock = Math.max(0, toBlock - span + 1)
    const known = await selectIndexedEvents(database, chainId, order.uid)
    const missed = await findMissedEvent({ ...deps, settlementContract }, order, { fromBlock, toBlock }, known)
    if (missed) {
      await readAgain(deps, missed.node, missed.block, head)
      log({ message: 'block read again', network: network.name, block: missed.block, order: order.uid })
      suspect.searchedTo = undefined
    } else if (fromBlock > Math.max(0, head.number - searchedBlocks)) suspect.searchedTo = fromBlock
    else if (mayPrecedeIndex(suspect)) {
      log({ message: 'fill not found', network: network.name, order: order.uid, ...toAmounts(suspect) })
      if (unexplained.size >= maxSuspects) unexplained.clear()
      unexplained.set(order.uid, suspect.filled - order.executed)
    } else suspect.searchedTo = undefined
  }

  return {
    isDue: () => suspects.size > 0,
    run: async (head, span) => {
      await compare(head)
      await search(head, span)
    },
    describe: () =>
      new Map(
        [...suspects].flatMap(([uid, suspect]) =>
          suspect.isConfirmed && !mayPrecedeIndex(suspect) ? [[uid, describeSuspect(suspect)] as const] : [],
        ),
      ),
  }
}

export type Comparison = {
  /** Whether a difference is open, which the next pass examines even without a new block. */
  isDue: () => boolean
  /**
   * One pass, after indexing up to `head`. Bounded: at most four `eth_call`s and one range of logs per node, and the
   * blocks around one missed event.
   * @param span blocks per request of logs
   * @throws Error when the node or the database fails; the next pass continues
   */
  run: (head: IndexedBlock, span: number) => Promise<void>
  /** Descriptions of the confirmed differences, by order UID. */
  describe: () => Map<Hex, string>
}

const firstTurn: ComparisonTurn = { lastValid: 0, uid: '0x' }

/** The next turn begins behind the last order of this one, or from the first after an incomplete one. */
const findTurnEnd = (orders: readonly ComparedOrder[]): ComparisonTurn => {
  const inTurn = orders.filter((order) => order.inTurn)
  if (inTurn.length < comparedAtOnce) return firstTurn
  return inTurn.reduce<ComparisonTurn>(
    (end, { lastValid, uid }) =>
      lastValid > end.lastValid || (lastValid === end.lastValid && uid > end.uid) ? { lastValid, uid } : end,
    firstTurn,
  )
}

const mayPrecedeIndex = ({ order, filled }: Suspect): boolean =>
  order.partiallyFillable && filled > order.executed && filled !== maxUint256

const toAmounts = ({ order, filled }: Pick<Suspect, 'order' | 'filled'>) => ({
  chain: filled === maxUint256 ? 'invalidated' : filled.toString(),
  index: order.executed.toString(),
})

const describeSuspect = (suspect: Suspect): string => {
  const { chain, index } = toAmounts(suspect)
  return `order ${suspect.order.uid}: filled amount ${index} in the index, ${chain} on the chain`
}
