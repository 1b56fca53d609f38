import { dayMs } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { deleteOldNotifications } from './deleteOldNotifications.ts'

measureRows(
  deleteOldNotifications,
  (database) => deleteOldNotifications(database, new Date(Date.now() - 90 * dayMs), 1_000),
  { acrossNetworks: true, reads: 1_000 },
)
