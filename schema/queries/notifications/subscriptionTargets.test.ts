import { subscriptionOf } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { confirmTarget, selectSubscription } from './subscriptionTargets.ts'

measureRows(selectSubscription, (database) => selectSubscription(database, subscriptionOf(0)))
measureRows(confirmTarget, (database) => confirmTarget(database, subscriptionOf(20), new Date()))
