import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { deleteOldAlerts, markAlertFailed, markAlertSent, takeDueAlerts } from './alertOutbox.ts'

measureRows(deleteOldAlerts, (database) => deleteOldAlerts(database, new Date()), { acrossNetworks: true })
measureRows(markAlertFailed, (database) => markAlertFailed(database, { id: 1, attempts: 1 }, 'refused', new Date()), {
  acrossNetworks: true,
})
measureRows(markAlertSent, (database) => markAlertSent(database, 1, new Date()), { acrossNetworks: true })
measureRows(takeDueAlerts, (database) => takeDueAlerts(database, { limit: 20, leaseMs: 1_000, now: new Date() }), {
  acrossNetworks: true,
})
