import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { confirmSubscription, selectUnconfirmed } from './confirmSubscription.ts'

measureRows(selectUnconfirmed, (database) => selectUnconfirmed(database, 'token'))
measureRows(confirmSubscription, (database, h) => confirmSubscription(database, `confirm ${h.newestUnconfirmed}`))
