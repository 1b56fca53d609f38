import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectTraderActivity } from './selectTraderActivity.ts'

/** A trader's hours in the time for which its code counts. */
const hoursOfCode = 100 * 24
// the trades of the newest hours, which have no sums yet, are read one by one
measureRows(selectTraderActivity, (database, h) => selectTraderActivity(database, h.busyOwner), {
  acrossNetworks: true,
  reads: (h) => hoursOfCode + 200 + h.rowsOfDays(1 / 8, 1),
})
