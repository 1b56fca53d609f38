import type { Database } from '#schema/client.ts'
import { deleteOldDeliveries } from '#schema/queries/deliveries.ts'
import { deleteExpiredNonces, deleteStaleSubscriptions } from '#schema/queries/subscriptions.ts'

const deliveriesKeptMs = 30 * 24 * 60 * 60 * 1000
const deliveriesAtOnce = 1_000

/** Removes what nobody needs any more: deliveries after thirty days, subscriptions that nobody confirmed, used nonces. */
export const removeOutdated = async (database: Database, now: Date): Promise<void> => {
  await deleteOldDeliveries(database, new Date(now.getTime() - deliveriesKeptMs), deliveriesAtOnce)
  await deleteStaleSubscriptions(database)
  await deleteExpiredNonces(database)
}
