import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectCancelledUids, selectListedUids } from './listedOrders.ts'

measureRows(selectCancelledUids, (database, h) => selectCancelledUids(database, h.chainId, [h.uid]))
measureRows(selectListedUids, (database, h) => selectListedUids(database, h.chainId, [h.uid]))
