import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import type { Signer } from '../fragments/useNonce.ts'
import type { Subscription } from './subscriptions.ts'

const toTime = (now: Date): SQL => sql`${now.toISOString()}::timestamptz`

/**
 * Takes new notifications and writes the deliveries for each subscriber in one statement. It may run several times at
 * once or fail; the next run finds the rest.
 *
 * A subscriber must know whether a notification stands. The last state it may have received is the newest revision with
 * an attempt, successful or not; when that contradicts the current state, another delivery is written.
 * - retracted before any attempt: nothing is sent
 * - retracted after an attempt: a correction is sent once no attempt is under way
 * - confirmed again before an attempt of its correction: nothing is sent
 * - confirmed again after its delivery failed before the retraction: the same delivery continues, with the same key
 * Dead deliveries that are retracted now are not replayed.
 * @param limit notifications taken
 * @param since older notifications, for example those of a network added to the subscriptions' database, get no first delivery
 * @returns number of notifications taken
 */
export const dispatchNotifications = async (
  database: Database,
  { limit, now, since }: { limit: number; now: Date; since: Date },
): Promise<number> => {
  const { rows } = await database.execute(sql`
    with taken as (
      select id, chain_id, account, type, revision, dispatched_revision, retracted_at is not null as is_untrue, created_at
      from ${notifications}
      where dispatched_revision < revision
      order by id
      limit ${limit}
      for update skip locked
    ), news as (
      -- without those of which this statement began before another one's deliveries were written: it does not see them
      select taken.* from taken
      join ${notifications} as seen on seen.id = taken.id and seen.dispatched_revision = taken.dispatched_revision
    ), written as (
      -- with the attempts that began after this statement, since it locks them
      select id, notification_id, subscription_id, revision, is_correction, state, attempts, failure, next_attempt_at
      from ${deliveries}
      where notification_id in (select id from news)
      for update
    ), attempted as (
      -- without a failure, the attempt may be under way, or is lost
      select distinct on (notification_id, subscription_id) *,
        case when state in ('pending', 'superseded') and failure is null then next_attempt_at end as busy_until
      from written
      where attempts > 0
      order by notification_id, subscription_id, revision desc
    ), superseded as (
      update ${deliveries} as d
      set state = 'superseded'
      from written as w
      join news as n on n.id = w.notification_id
      where d.id = w.id and w.state in ('pending', 'dead') and w.is_correction <> n.is_untrue
    ), resumed as (
      update ${deliveries} as d
      set state = 'pending', next_attempt_at = greatest(t.busy_until, ${toTime(now)})
      from attempted as t
      join news as n on n.id = t.notification_id
      where d.id = t.id and t.state = 'superseded' and t.is_correction = n.is_untrue
    ), added as (
      insert into ${deliveries} (notification_id, subscription_id, revision, is_correction, created_at, next_attempt_at)
      select n.id, s.id, n.revision, n.is_untrue, ${toTime(now)}, greatest(t.busy_until, ${toTime(now)})
      from news as n
      join ${subscriptions} as s on s.account = n.account
      left join attempted as t on t.notification_id = n.id and t.subscription_id = s.id
      where case
          when t.id is not null then t.is_correction <> n.is_untrue
          else not n.is_untrue and s.confirmed_at is not null and s.created_at <= n.created_at
            and n.created_at >= ${toTime(since)} and n.type = any(s.types) and n.chain_id = any(s.networks)
        end
        and not exists (
          select 1 from written as w
          where w.notification_id = n.id and w.subscription_id = s.id and w.state in ('pending', 'dead')
            and w.is_correction = n.is_untrue
        )
      for key share of s
    )
    update ${notifications} as n
    set dispatched_revision = news.revision
    from news
    where n.id = news.id
    returning n.id`)
  return rows.length
}

/** An attempt to be made; `attempt` counts from 1, and each number is made once. */
export type DueDelivery = { id: number; subscriptionId: string; attempt: number }

/**
 * Takes due deliveries, the oldest first. Each is due again after `leaseMs` unless an attempt begins. Deliveries of
 * paused subscriptions die.
 * @param limit deliveries taken, dead ones included
 * @returns `taken`: their number; `due`: those to attempt
 */
export const takeDueDeliveries = async (
  database: Database,
  { limit, leaseMs, now }: { limit: number; leaseMs: number; now: Date },
): Promise<{ taken: number; due: DueDelivery[] }> => {
  const { rows } = await database.execute<{ id: string; subscription_id: string; attempts: number; state: string }>(sql`
    with due as (
      select d.id, s.paused_at is null and s.confirmed_at is not null as is_open
      from ${deliveries} as d
      join ${subscriptions} as s on s.id = d.subscription_id
      where d.state = 'pending' and d.next_attempt_at <= ${toTime(now)}
      order by d.next_attempt_at
      limit ${limit}
      for update of d skip locked
    )
    update ${deliveries} as d
    set next_attempt_at = ${toTime(new Date(now.getTime() + leaseMs))},
      state = case when due.is_open then d.state else 'dead' end,
      failure = case when due.is_open then d.failure else coalesce(d.failure, 'the subscription is paused') end
    from due
    where d.id = due.id
    returning d.id, d.subscription_id, d.attempts, d.state`)
  return {
    taken: rows.length,
    due: rows
      .filter(({ state }) => state === 'pending')
      .map(({ id, subscription_id, attempts }) => ({
        id: Number(id),
        subscriptionId: subscription_id,
        attempt: attempts + 1,
      })),
  }
}

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

/**
 * Ends the pause of a subscription and schedules its dead deliveries again, the oldest first, if they still apply; each
 * gets a new deadline.
 * @param limit deliveries taken: a pause of weeks may leave more than one statement can send in time
 * @returns `taken`: their number; `replayed`: those scheduled again; undefined when the account has no such
 * subscription
 */
export const replayDeliveries = async (
  database: Database,
  { account, signerChainId }: Signer,
  subscriptionId: string,
  { limit, now }: { limit: number; now: Date },
): Promise<{ taken: number; replayed: number } | undefined> => {
  const { rows } = await database.execute<{ taken: number; replayed: number }>(sql`
    with resumed as (
      update ${subscriptions}
      set paused_at = null, pause_reason = null, failures = 0, failing_since = null
      where id = ${subscriptionId} and account = ${toBytes(account)} and signer_chain_id = ${signerChainId} and confirmed_at is not null
      returning id
    ), dead as (
      select d.id, d.is_correction = (n.retracted_at is not null) as is_wanted
      from ${notifications} as n
      join ${deliveries} as d on d.notification_id = n.id
      where d.state = 'dead' and d.subscription_id = (select id from resumed)
      order by d.id
      limit ${limit}
      for update of n, d
    ), replayed as (
      update ${deliveries} as d
      set state = (case when dead.is_wanted then 'pending' else 'superseded' end)::delivery_state,
        created_at = ${toTime(now)}, next_attempt_at = ${toTime(now)}
      from dead
      where d.id = dead.id
      returning d.state
    )
    select count(replayed.state)::integer as taken, (count(*) filter (where replayed.state = 'pending'))::integer as replayed
    from resumed left join replayed on true group by resumed.id`)
  return rows[0]
}

const toBytes = (account: Address): SQL => sql`decode(${account.slice(2)}, 'hex')`

/**
 * Deletes ended deliveries that began before a time, the oldest first.
 * @param limit maximum number of deleted deliveries
 */
export const deleteOldDeliveries = (database: Database, begunBefore: Date, limit: number) =>
  database.delete(deliveries).where(
    sql`${deliveries.id} = any(array(
        select id from ${deliveries}
        where ${deliveries.state} <> 'pending' and ${deliveries.createdAt} < ${toTime(begunBefore)}
        order by ${deliveries.createdAt} limit ${limit} for update skip locked))`,
  )
