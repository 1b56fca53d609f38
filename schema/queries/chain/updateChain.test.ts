import { buildSettledWin } from '#test/helpers/database/buildSettledWin.ts'
import type { History } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf, newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { numberedBytes } from '#tools/bench/history/historyColumns.ts'
import type { NewOrder } from '../orders/orders.ts'
import { storedBlocks } from './blocks.ts'
import { type ChainUpdate, noEvents } from './chainUpdate.ts'
import { updateChain } from './updateChain.ts'

const update = (h: History, changes: Partial<ChainUpdate> = {}): ChainUpdate => ({
  ...noEvents,
  fromBlock: h.tip,
  toBlock: h.tip,
  undoFrom: null,
  blocks: [{ number: h.tip, hash: hashOf(h.tip), timestamp: new Date() }],
  ...changes,
})
const placer = numberedBytes(0xe7, 20)
const placedUid = orderUidOf(30, placer)
const order = (seed: number, changes: Partial<NewOrder> = {}) => {
  const { fullAppData: _, ...row } = newOrder(seed, { createdAt: new Date(), ...changes })
  return row
}

/** Each kind of event in the block after the newest; a trade and an invalidation belong to unknown orders. */
const everyEvent = (h: History): Partial<ChainUpdate> => {
  const blockNumber = h.orders + 1
  const at = (logIndex: number) => ({ blockNumber, logIndex })
  const transactionHash = hashOf(blockNumber)
  const { owner } = newOrder(1)
  const settled = buildSettledWin(blockNumber, h.runningAuction, h.openUid(), 1_000n)
  const placed = { ...at(3), contract: placer, sender: h.onchainUser, placedAt: new Date() }
  return {
    ...settled,
    fromBlock: blockNumber,
    toBlock: blockNumber,
    blocks: [{ number: blockNumber, hash: hashOf(blockNumber), timestamp: new Date() }],
    trades: settled.trades.flatMap((trade) => [trade, { ...trade, logIndex: 7, orderUid: orderUidOf(50) }]),
    invalidations: [
      { ...at(1), owner, orderUid: h.openUid(1), transactionHash },
      { ...at(10), owner, orderUid: orderUidOf(51), transactionHash },
    ],
    presignatures: [{ ...at(2), owner, orderUid: h.openUid(2), signed: true }],
    jitOrders: [{ ...order(20), jitBlock: blockNumber }],
    onchainOrders: {
      placements: [
        { ...placed, orderUid: placedUid },
        { ...placed, ...at(4), orderUid: orderUidOf(31) },
      ],
      placedOrders: [order(30, { uid: placedUid, owner: placer }), order(31)].map((row) => ({
        ...row,
        onchainUser: h.onchainUser,
      })),
      cancellations: [{ ...at(5), contract: placer, orderUid: placedUid, transactionHash }],
      refunds: [{ ...at(6), contract: placer, orderUid: placedUid, transactionHash }],
    },
  }
}

/** A block holds an event of each kind; the rows of each are looked up in five tables. */
const reads = storedBlocks * 40

measureRows(updateChain, (database, h) => updateChain(database, h.chainId, update(h)), { reads })
measureRows(updateChain, (database, h) => updateChain(database, h.chainId, update(h, everyEvent(h))), { reads })
measureRows(
  updateChain,
  (database, h) => updateChain(database, h.chainId, update(h, { undoFrom: h.tip - 9, fromBlock: h.tip - 9 })),
  { reads },
)
measureRows(
  updateChain,
  async (database, h) => {
    await updateChain(database, h.chainId, update(h, everyEvent(h)))
    await updateChain(database, h.chainId, { ...update(h, everyEvent(h)), undoFrom: h.orders + 1 })
  },
  { reads: reads * 2 },
)
