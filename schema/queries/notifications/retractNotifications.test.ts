import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { retractNotifications } from './retractNotifications.ts'

measureRows(retractNotifications, (database, h) => retractNotifications(database, h.chainId, h.tip - 9))
