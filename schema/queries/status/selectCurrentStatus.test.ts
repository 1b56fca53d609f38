import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectCurrentStatus } from './selectCurrentStatus.ts'

// beside the window of an hour the open orders and the suspensions of a day
measureRows(selectCurrentStatus, (database, h) => selectCurrentStatus(database, h.chainId), {
  reads: (h) => h.openOrders + h.rowsOfDays(1 / 24, 4),
})
