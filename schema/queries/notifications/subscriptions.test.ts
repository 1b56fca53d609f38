import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { deleteStaleSubscriptions, selectSubscriptions } from './subscriptions.ts'

measureRows(selectSubscriptions, (database, h) =>
  selectSubscriptions(database, { account: h.busyOwner, signerChainId: 0 }),
)
// unconfirmed subscriptions are deleted each hour: here all of the history's are left
measureRows(deleteStaleSubscriptions, (database) => deleteStaleSubscriptions(database))
