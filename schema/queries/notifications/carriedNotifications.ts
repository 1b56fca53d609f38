import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { runBatch } from '../fragments/runBatch.ts'
import type { Notification } from './notifications.ts'

/** Notifications with a revision that was not dispatched, the oldest first. */
export const selectUndispatched = (database: Database, limit: number): Promise<Notification[]> =>
  database
    .select()
    .from(notifications)
    .where(lt(notifications.dispatchedRevision, notifications.revision))
    .orderBy(asc(notifications.id))
    .limit(limit)

/**
 * Writes notifications of another database with ids of this one; their deliveries follow by `dispatchNotifications`. A
 * repetition, or one older than the stored revision, changes nothing.
 */
export const upsertCarried = async (database: Database, carried: readonly Notification[]): Promise<void> => {
  await database
    .insert(notifications)
    .values(carried.map(({ id: _, dispatchedRevision: __, ...facts }) => facts))
    .onConflictDoUpdate({
      target: [notifications.chainId, notifications.orderUid, notifications.type, notifications.key],
      set: {
        eventId: sql`excluded.event_id`,
        blockNumber: sql`excluded.block_number`,
        facts: sql`excluded.facts`,
        retractedAt: sql`excluded.retracted_at`,
        revision: sql`excluded.revision`,
      },
      setWhere: sql`${notifications.revision} < excluded.revision`,
    })
}

/** Marks the given revisions as dispatched; later ones stay in the outbox. */
export const markCarried = (database: Database, carried: readonly Notification[]): Promise<unknown> =>
  runBatch(
    database,
    carried.map(({ id, revision }) =>
      database
        .update(notifications)
        .set({ dispatchedRevision: revision })
        .where(and(eq(notifications.id, id), lt(notifications.dispatchedRevision, revision))),
    ),
  )
