import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { selectOldestUndelivered } from './selectOldestUndelivered.ts'

// two hundred deliveries with their notifications, and fifty new notifications
measureRows(selectOldestUndelivered, (database, h) => selectOldestUndelivered(database, h.chainId), { reads: 450 })
