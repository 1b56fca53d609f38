import type { Database } from '#schema/client.ts'
import { deleteOldDeliveries } from '#schema/queries/notifications/deliveries.ts'
import { deleteOldNotifications } from '#schema/queries/notifications/notifications.ts'
import { deleteExpiredNonces } from '#schema/queries/notifications/signedNonces.ts'
import { deleteStaleSubscriptions } from '#schema/queries/notifications/subscriptions.ts'

const dayMs = 86_400_000
const deliveriesKeptMs = 30 * dayMs
const deliveriesAtOnce = 1_000
/** With a run per minute, more than seven million a day. */
const notificationsAtOnce = 5_000

/**
 * Removes deliveries after thirty days, stale unconfirmed subscriptions, and expired nonces.
 * @param notificationDays days after which notifications are removed, too; undefined: never
 */
export const removeOutdated = async (
  database: Database,
  now: Date,
  notificationDays: number | undefined,
): Promise<void> => {
  const before = (ms: number) => new Date(now.getTime() - ms)
  await deleteOldDeliveries(database, before(deliveriesKeptMs), deliveriesAtOnce)
  if (notificationDays !== undefined)
    await deleteOldNotifications(database, before(notificationDays * dayMs), notificationsAtOnce)
  await deleteStaleSubscriptions(database)
  await deleteExpiredNonces(database)
}
