import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { toTime } from '../fragments/toTime.ts'

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
 * @param since older notifications, for example those of a network added to the subscriptions' database, get no first
 *   delivery
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
      order by n.id, s.created_at, s.id
      for key share of s
    )
    update ${notifications} as n
    set dispatched_revision = news.revision
    from news
    where n.id = news.id
    returning n.id`)
  return rows.length
}
