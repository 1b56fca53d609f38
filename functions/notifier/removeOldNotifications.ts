import type { Database } from '#schema/client.ts'
import { deleteOldNotifications } from '#schema/queries/notifications/deleteOldNotifications.ts'
import { describeError } from '#shared/http/describeError.ts'
import { logEntry } from '#shared/logging/logEntry.ts'

const dayMs = 86_400_000
/** With a run per minute, more than seven million a day of each database. */
const atOnce = 5_000

/**
 * Removes notifications after `days` from the database of the subscriptions, and from those of networks with their own, which keep
 * the originals. A database that fails is logged and holds up no other one.
 */
export const removeOldNotifications = async (
  databases: readonly Database[],
  now: Date,
  days: number,
): Promise<void> => {
  const createdBefore = new Date(now.getTime() - days * dayMs)
  for (const database of databases) {
    try {
      await deleteOldNotifications(database, createdBefore, atOnce)
    } catch (error) {
      logEntry({ message: 'old notifications stay', cause: describeError(error) })
    }
  }
}
