import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { alerts } from '../../tables/alarms/alerts.ts'

export type DueAlert = typeof alerts.$inferSelect

/**
 * Takes due alerts, each for one attempt; concurrent runs take different ones.
 * @param leaseMs an attempt without an outcome is repeated after this time
 */
export const takeDueAlerts = async (
  database: Database,
  { limit, leaseMs, now }: { limit: number; leaseMs: number; now: Date },
): Promise<DueAlert[]> => {
  const taken = await database
    .update(alerts)
    .set({ nextAttemptAt: new Date(now.getTime() + leaseMs), attempts: sql`${alerts.attempts} + 1` })
    .where(
      sql`${alerts.id} in (
        select id from ${alerts} where sent_at is null and next_attempt_at <= ${now.toISOString()}::timestamptz
        order by id limit ${limit} for update skip locked)`,
    )
    .returning()
  return taken.sort((a, b) => a.id - b.id)
}

export const markAlertSent = async (database: Database, id: number, now: Date): Promise<void> => {
  await database.update(alerts).set({ sentAt: now, failure: null }).where(eq(alerts.id, id))
}

export const markAlertFailed = async (
  database: Database,
  { id, attempts }: Pick<DueAlert, 'id' | 'attempts'>,
  failure: string,
  nextAttemptAt: Date,
): Promise<void> => {
  await database
    .update(alerts)
    .set({ failure, nextAttemptAt })
    // not when a later attempt has begun
    .where(and(eq(alerts.id, id), eq(alerts.attempts, attempts), isNull(alerts.sentAt)))
}

/** Deletes alerts that were written before `createdBefore`, sent or not. */
export const deleteOldAlerts = async (database: Database, createdBefore: Date): Promise<void> => {
  await database.delete(alerts).where(lt(alerts.createdAt, createdBefore))
}
