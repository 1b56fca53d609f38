import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectArchivableCompetitions } from './archivedCompetitions.ts'
import { deleteArchivedCompetitions } from './deleteArchivedCompetitions.ts'

measureRows(
  deleteArchivedCompetitions,
  async (database, { chainId }) => {
    const lines = await selectArchivableCompetitions(database, chainId, new Date(), { auctions: 64, bytes: 4e6 })
    return deleteArchivedCompetitions(database, chainId, 'key', lines)
  },
  // both read solutions, orders and fee policies of ten orders in each competition
  { reads: 64 * 80 },
)
