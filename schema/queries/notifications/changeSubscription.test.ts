import { nonceOf, subscriberOf, subscriptionOf } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { deleteOwnSubscription, useSubscription } from './changeSubscription.ts'

measureRows(
  deleteOwnSubscription,
  (database) => deleteOwnSubscription(database, nonceOf(subscriberOf(9)), subscriptionOf(9)),
  { reads: 200 },
)
measureRows(useSubscription, (database) => useSubscription(database, nonceOf(subscriberOf(9)), subscriptionOf(9)), {
  reads: 200,
})
