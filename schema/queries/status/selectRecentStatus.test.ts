import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectRecentStatus } from './selectRecentStatus.ts'

measureRows(selectRecentStatus, (database, h) => selectRecentStatus(database, h.chainId), {
  reads: (h) => h.rowsOfDays(1, 8),
})
