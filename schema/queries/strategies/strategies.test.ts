import type { Address, Hex } from 'viem'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import type { Database } from '../../client.ts'
import { selectBlocks } from '../chain/blocks.ts'
import { runBatch } from '../fragments/runBatch.ts'
import { selectConditionalOrder, selectConditionalOrders } from './conditionalOrderPages.ts'
import { insertPart, selectFirstAmounts } from './conditionalParts.ts'
import { insertConditionalEvents, insertConditionalOrders } from './insertConditionalEvents.ts'
import { countOtherConditionalOrders, insertPostedOrders } from './insertPostedOrders.ts'
import { selectBlockWork } from './selectDue.ts'
import { endRemoved, storeVerdicts } from './storeVerdicts.ts'

const key = (uid: Hex, owner: Address) => ({ owner, hash: uid.slice(0, 66) as Hex })
const findTip = async (database: Database, chainId: number) => {
  const tip = (await selectBlocks(database, chainId)).at(-1)
  if (!tip) throw new Error('no block')
  return tip
}
const toRow = (uid: Hex, owner: Address) => ({
  ...key(uid, owner),
  handler: owner,
  salt: uid.slice(0, 66) as Hex,
  staticInput: '0x' as const,
  proof: [],
  blockNumber: 2,
  logIndex: 0,
  transactionHash: null,
})

measureRows(selectConditionalOrders, (database, h) =>
  selectConditionalOrders(database, h.chainId, { owner: h.busyOwner }, { limit: 20 }),
)
measureRows(selectConditionalOrders, (database, h) =>
  selectConditionalOrders(database, h.chainId, { orderUid: h.uid }, { limit: 20 }),
)
measureRows(selectConditionalOrder, (database, h) =>
  selectConditionalOrder(database, h.chainId, key(h.uid, h.busyOwner)),
)
measureRows(
  countOtherConditionalOrders,
  (database, h) => countOtherConditionalOrders(database, h.chainId, h.busyOwner, [key(h.uid, h.busyOwner).hash], 200),
  { reads: 200 },
)
measureRows(
  insertPostedOrders,
  (database, h) => insertPostedOrders(database, h.chainId, [toRow(h.uid, h.busyOwner)], 10_000),
  { reads: (h) => h.orders / 50 },
)
measureRows(insertConditionalEvents, (database, h) =>
  runBatch(database, insertConditionalEvents(database, h.chainId, { created: [toRow(h.uid, h.busyOwner)], roots: [] })),
)
measureRows(insertConditionalOrders, (database, h) =>
  insertConditionalOrders(database, h.chainId, [toRow(h.uid, h.busyOwner)]),
)
measureRows(
  selectBlockWork,
  (database, h) =>
    selectBlockWork(
      database,
      h.chainId,
      { number: h.tip, hash: '0x', timestamp: new Date(1_800_000_000_000) },
      undefined,
      { due: 400, keys: 400 },
    ),
  { reads: (h) => h.orders / 50 },
)
measureRows(storeVerdicts, async (database, h) =>
  storeVerdicts(database, h.chainId, await findTip(database, h.chainId), [
    {
      ...key(h.uid, h.busyOwner),
      state: 'open',
      nextBlock: 1,
      nextTime: 1,
      failures: 0,
      unfilled: 0,
      verdict: { reason: 'partPlaced', uid: h.uid },
      partUid: h.uid,
      judgedBlock: 1,
      change: { label: 'ended', reason: 'finished', partCount: 4 },
    },
  ]),
)
measureRows(endRemoved, async (database, h) =>
  endRemoved(database, h.chainId, await findTip(database, h.chainId), [{ ...key(h.uid, h.busyOwner), judgedBlock: 1 }]),
)
measureRows(insertPart, (database, h) =>
  insertPart(database, h.chainId, key(h.uid, h.busyOwner), { uid: h.uid, placedBlock: 1 }),
)
measureRows(selectFirstAmounts, (database, h) => selectFirstAmounts(database, h.chainId, [key(h.uid, h.busyOwner)]))
