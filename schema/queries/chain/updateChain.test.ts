import type { History } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf } from '#test/helpers/database/networkEvents.ts'
import { keptBlocks } from './blocks.ts'
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
/** A block holds an event of each kind; the rows of each are looked up in five tables. */
const reads = keptBlocks * 40

measureRows(updateChain, (database, h) => updateChain(database, h.chainId, update(h)), { reads })
