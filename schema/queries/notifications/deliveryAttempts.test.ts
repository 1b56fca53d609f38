import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { claimDelivery, markDelivered, markFailed } from './deliveryAttempts.ts'

const lease = () => ({ leaseMs: 1_000, now: new Date() })
measureRows(claimDelivery, (database, h) => claimDelivery(database, { id: h.pendingDelivery, attempt: 2 }, lease()), {
  acrossNetworks: true,
})
measureRows(markDelivered, (database, h) => markDelivered(database, h.pendingDelivery, new Date()))
measureRows(markFailed, (database, h) =>
  markFailed(
    database,
    {
      id: h.pendingDelivery,
      attempt: 1,
      reason: 'refused',
      nextAttemptAt: null,
      isGone: false,
      isOurFault: false,
    },
    new Date(),
  ),
)
