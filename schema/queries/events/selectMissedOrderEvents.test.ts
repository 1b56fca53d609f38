import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectMissedOrderEvents } from './selectMissedOrderEvents.ts'

const oldest = { writtenBy: 0n, id: 0 }
const limits = { events: 100, scanned: 1_000 }
measureRows(
  selectMissedOrderEvents,
  (database, h) => selectMissedOrderEvents(database, h.chainId, { account: h.busyOwner }, oldest, limits),
  { reads: 4_000 },
)
measureRows(selectMissedOrderEvents, (database, h) =>
  selectMissedOrderEvents(database, h.chainId, { orderUid: h.uid }, oldest, limits),
)
measureRows(
  selectMissedOrderEvents,
  (database, h) => selectMissedOrderEvents(database, h.chainId, { account: h.onchainUser }, oldest, limits),
  { reads: 4_000 },
)
measureRows(selectMissedOrderEvents, (database, h) =>
  selectMissedOrderEvents(database, h.chainId, { orderUid: h.uid }, undefined, limits),
)
