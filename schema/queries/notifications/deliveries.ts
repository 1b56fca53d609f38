import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { deliveries } from '../../tables/notifications/deliveries.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { subscriptions } from '../../tables/notifications/subscriptions.ts'
import { toBytes } from '../fragments/toBytes.ts'
import { toTime } from '../fragments/toTime.ts'
import type { Signer } from '../fragments/useNonce.ts'

/** An attempt to be made; `attempt` counts from 1, and each number is made once. */
export type DueDelivery = { id: number; subscriptionId: string; attempt: number }

/**
 * Takes deliveries, those that have been due the longest first, and returns them in the order in which they were
 * written. Each is due again after `leaseMs` unless an attempt begins. Deliveries of paused subscriptions die.
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
      }))
      // what an update returns has no order
      .toSorted((a, b) => a.id - b.id),
  }
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
