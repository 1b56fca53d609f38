import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { toTime } from '../fragments/toTime.ts'
import type { DueDelivery } from './deliveries.ts'
import type { Subscription } from './subscriptions.ts'

export type ClaimedDelivery = {
  delivery: { id: number; revision: number; isCorrection: boolean; attempt: number; createdAt: Date }
  notification: typeof notifications.$inferSelect
  subscription: Subscription
}

/**
 * Begins an attempt. Returns undefined when another consumer began it, the notification was retracted, or the
 * subscription is paused or deleted.
 * @param leaseMs time after which the attempt counts as lost
 */
export const claimDelivery = async (
  database: Database,
  { id, attempt }: Pick<DueDelivery, 'id' | 'attempt'>,
  { leaseMs, now }: { leaseMs: number; now: Date },
): Promise<ClaimedDelivery | undefined> => {
  const [claimed] = await database
    .update(deliveries)
    .set({ attempts: attempt, nextAttemptAt: new Date(now.getTime() + leaseMs), failure: null })
    .from(notifications)
    .innerJoin(subscriptions, sql`true`)
    .where(
      and(
        eq(deliveries.id, id),
        eq(deliveries.attempts, attempt - 1),
        eq(deliveries.state, 'pending'),
        eq(notifications.id, deliveries.notificationId),
        eq(subscriptions.id, deliveries.subscriptionId),
        eq(deliveries.isCorrection, sql`(${notifications.retractedAt} is not null)`),
        isNotNull(subscriptions.confirmedAt),
        isNull(subscriptions.pausedAt),
      ),
    )
    .returning()
  if (!claimed) return undefined
  const { revision, isCorrection, createdAt, notifications: notification, subscriptions: subscription } = claimed
  return { delivery: { id, revision, isCorrection, attempt, createdAt }, notification, subscription }
}

/** Records a success, however late it is reported, and marks the target as working. */
export const markDelivered = async (database: Database, id: number, now: Date): Promise<void> => {
  await database.execute(sql`
    with delivered as (
      update ${deliveries}
      set state = 'delivered', delivered_at = ${toTime(now)}, failure = null
      where id = ${id} and state <> 'delivered'
      returning subscription_id
    )
    update ${subscriptions} as s
    set failures = 0, failing_since = null, last_delivered_at = ${toTime(now)}
    from delivered
    where s.id = delivered.subscription_id`)
}

export type FailedAttempt = {
  id: number
  attempt: number
  /** for the owner of the subscription */
  reason: string
  /** null: no further attempt, the delivery is dead */
  nextAttemptAt: Date | null
  /** the target permanently refuses deliveries */
  isGone: boolean
  /** the failure is not the target's */
  isOurFault: boolean
}

/**
 * Records a failure unless a later attempt is under way. Pauses the subscription when its target is gone, and when a
 * delivery dies by the target's fault without any success meanwhile.
 */
export const markFailed = async (
  database: Database,
  { id, attempt, reason, nextAttemptAt, isGone, isOurFault }: FailedAttempt,
  now: Date,
): Promise<void> => {
  await database.execute(sql`
    with failed as (
      update ${deliveries}
      set failure = ${reason}, state = ${nextAttemptAt ? 'pending' : 'dead'}::delivery_state,
        next_attempt_at = ${toTime(nextAttemptAt ?? now)}
      where id = ${id} and attempts = ${attempt} and state = 'pending'
      returning subscription_id, created_at, state
    ), judged as (
      select s.id, ${isGone} or (
        failed.state = 'dead' and not ${isOurFault} and coalesce(s.last_delivered_at < failed.created_at, true)) as is_dead
      from failed
      join ${subscriptions} as s on s.id = failed.subscription_id
    )
    update ${subscriptions} as s
    set failures = s.failures + 1, failing_since = coalesce(s.failing_since, ${toTime(now)}),
      paused_at = case when judged.is_dead then coalesce(s.paused_at, ${toTime(now)}) else s.paused_at end,
      pause_reason = case when judged.is_dead then coalesce(s.pause_reason, ${reason}) else s.pause_reason end
    from judged
    where s.id = judged.id`)
}
