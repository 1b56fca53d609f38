import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectArchivableEvents } from './archivedEvents.ts'
import { deleteArchivedEvents } from './deleteArchivedEvents.ts'

measureRows(
  deleteArchivedEvents,
  async (database, { chainId }) => {
    const limits = { scanned: 5_000, orders: 200, bytes: 1e6 }
    const { lines } = await selectArchivableEvents(database, chainId, new Date(), null, limits)
    return deleteArchivedEvents(database, chainId, `0x${'ab'.repeat(8)}`, lines)
  },
  // both read the three events of each order three times
  { reads: 200 * 3 * 6 },
)
