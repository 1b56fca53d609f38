import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { notifications } from '../../tables/notifications/notifications.ts'

/**
 * Deletes notifications from before a time, with their deliveries. Reads only the oldest by id: a newer one among them,
 * whose event was indexed late, stays until its own time. One that was not dispatched stays until it is: another
 * database may not have it yet. None of the last 31 days by the database's clock is deleted, since a wrong clock of a
 * Worker would delete them for good.
 * @param limit maximum number of notifications that are read
 * @returns the number of deleted ones
 */
export const deleteOldNotifications = async (
  database: Database,
  createdBefore: Date,
  limit: number,
): Promise<number> => {
  const { rows } = await database.execute<{ deleted: number }>(sql`
    with oldest as (select id, created_at, dispatched_revision >= revision as is_dispatched
      from ${notifications} order by id limit ${limit}),
    deleted as (
      delete from ${notifications}
      where id = any(array(
        select id from oldest where is_dispatched
          and created_at < least(${createdBefore.toISOString()}::timestamptz, now() - interval '31 days')))
      returning 1
    )
    select count(*)::integer as deleted from deleted`)
  return rows[0]?.deleted ?? 0
}
