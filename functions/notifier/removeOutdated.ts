import type { Database } from '#schema/client.ts'
import { deleteOldDeliveries } from '#schema/queries/notifications/deliveries.ts'
import { deleteExpiredNonces } from '#schema/queries/notifications/signedNonces.ts'
import { deleteStaleSubscriptions } from '#schema/queries/notifications/subscriptions.ts'

const retentionMs = 30 * 24 * 60 * 60 * 1000
const deliveriesAtOnce = 1_000

/** Removes deliveries after thirty days, stale unconfirmed subscriptions, and expired nonces. */
export const removeOutdated = async (database: Database, now: Date): Promise<void> => {
  await deleteOldDeliveries(database, new Date(now.getTime() - retentionMs), deliveriesAtOnce)
  await deleteStaleSubscriptions(database)
  await deleteExpiredNonces(database)
}
