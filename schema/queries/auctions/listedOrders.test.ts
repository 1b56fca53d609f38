import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectCancelledUids, selectListedUids } from './listedOrders.ts'

measureRows(selectCancelledUids, (database, h) => selectCancelledUids(database, h.chainId, [h.uid, h.uidOf(4)]))
measureRows(selectListedUids, (database, h) => selectListedUids(database, h.chainId, [h.uid]))
