import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newNotification } from '#test/helpers/database/newNotification.ts'
import { markCarried, selectUndispatched, upsertCarried } from './carriedNotifications.ts'
import type { Notification } from './notifications.ts'

const carried = Array.from({ length: 100 }, (_, seed) => ({
  blockNumber: null,
  createdAt: new Date(),
  retractedAt: null,
  ...newNotification(seed),
  id: seed + 1,
  revision: 1,
  dispatchedRevision: 0,
})) as Notification[]
measureRows(markCarried, (database) => markCarried(database, carried), { byId: true, reads: 100 })
measureRows(selectUndispatched, (database) => selectUndispatched(database, 100), { acrossNetworks: true })
measureRows(upsertCarried, (database) => upsertCarried(database, carried), { reads: 100 })
