import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectNotifications } from './selectNotifications.ts'

measureRows(selectNotifications, (database, h) => selectNotifications(database, h.busyOwner, { limit: 100 }), {
  acrossNetworks: true,
})
measureRows(
  selectNotifications,
  (database, h) =>
    selectNotifications(database, h.busyOwner, {
      limit: 100,
      types: ['order_filled', 'order_expired'],
      chainIds: [h.chainId],
    }),
  { acrossNetworks: true },
)
