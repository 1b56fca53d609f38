import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectArchivableCompetitions } from './archivedCompetitions.ts'

// solutions, orders and fee policies of ten orders in each
measureRows(
  selectArchivableCompetitions,
  (database, h) => selectArchivableCompetitions(database, h.chainId, new Date(), { auctions: 64, bytes: 4e6 }),
  { reads: 64 * 40 },
)
