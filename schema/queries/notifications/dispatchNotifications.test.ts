import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { dispatchNotifications } from './dispatchNotifications.ts'

measureRows(
  dispatchNotifications,
  (database) => dispatchNotifications(database, { limit: 100, now: new Date(), since: new Date(0) }),
  { acrossNetworks: true, reads: 300 },
)
