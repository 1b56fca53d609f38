import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectArchivableEvents } from './archivedEvents.ts'

// the three events of each order, three times
measureRows(
  selectArchivableEvents,
  (database, h) =>
    selectArchivableEvents(database, h.chainId, new Date(), null, { scanned: 5_000, orders: 200, bytes: 1e6 }),
  { reads: 200 * 3 * 3 },
)
