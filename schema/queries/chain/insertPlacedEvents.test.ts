import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { storedBlocks } from './blocks.ts'
import { insertPlacedEvents } from './insertPlacedEvents.ts'

measureRows(insertPlacedEvents, (database, h) => insertPlacedEvents(database, h.chainId, h.lookFrom), {
  reads: storedBlocks,
})
