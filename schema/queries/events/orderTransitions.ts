import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { insertNotifications, loggedColumns } from '../notifications/notifications.ts'
import type { ProgressLabel } from './progressEvents.ts'

/** Outcome of an auction for an order; `reason` explains `filtered` and `invalid`, `data` has the figures. */
export type OrderTransition = { uid: Hex; label: ProgressLabel; reason: string | null; data?: JsonObject | null }

/** Outcomes that a stranger can repeat in every block, by a token or wallet that changes its mind. */
const damped = sql.raw(`('ready', 'filtered', 'invalid', 'considered')`)

/**
 * Rows of these outcomes that one order may have in a time. Beyond, its newest row is updated in place, so that the log
 * has the present outcome, and its `data.damped` counts the outcomes that have no row.
 */
const transitionBounds = [
  { rows: 12, time: '1 hour' },
  { rows: 36, time: '1 day' },
  { rows: 96, time: '30 days' },
  { rows: 200, time: '365 days' },
] as const
const maxRows = Math.max(...transitionBounds.map(({ rows }) => rows))

/** The order's newest rows reach one of the bounds. */
const isAtBound = (chainId: number) => sql`exists (
  select from (
    select created_at, row_number() over (order by id desc) as n from ${orderEvents} as past
    where past.chain_id = ${chainId} and past.order_uid = t.uid and past.label in ${damped}
    order by id desc limit ${sql.raw(String(maxRows))}
  ) as past
  where ${sql.join(
    transitionBounds.map(({ rows, time }) => sql.raw(`(n = ${rows} and created_at > now() - interval '${time}')`)),
    sql` or `,
  )})`

/**
 * Logs outcomes of an auction for orders and notifies their accounts. Writes only outcomes that differ from an order's
 * newest event in label or reason, none after a cancellation, and no more rows than `transitionBounds`. Idempotent.
 */
export const insertTransitions = (
  database: Database,
  chainId: number,
  auctionId: number,
  transitions: readonly OrderTransition[],
) => {
  const rows = transitions.map(({ uid, label, reason, data }) => ({ uid: uid.slice(2), label, reason, data }))
  return database.execute(sql`
    with changes as materialized (
      select t.*, newest.id as newest_id,
        t.label in ${damped} and newest.label in ${damped} and newest.archive_part is null and ${isAtBound(chainId)} as is_damped
      from (
        select decode(value->>'uid', 'hex') as uid, value->>'label' as label, value->>'reason' as reason,
          nullif(value->'data', 'null'::jsonb) as data
        from jsonb_array_elements(${JSON.stringify(rows)}::jsonb)
      ) as t
      left join lateral (
        select e.id, e.label, e.reason, e.archive_part from ${orderEvents} e
        where e.chain_id = ${chainId} and e.order_uid = t.uid and e.label not in ('expired', 'undone') order by e.id desc limit 1
      ) as newest on true
      where (newest.label::text, newest.reason) is distinct from (t.label, t.reason)
        and newest.label is distinct from 'cancelled'
    ),
    updated as (
      update ${orderEvents} as e set label = c.label::order_event_label, reason = c.reason, auction_id = ${auctionId}::bigint,
        created_at = now(),
        data = coalesce(c.data, '{}') || jsonb_build_object('damped', coalesce((e.data->>'damped')::integer, 0) + 1)
      from changes as c where c.is_damped and e.chain_id = ${chainId} and e.id = c.newest_id
    ),
    logged as (
      insert into ${orderEvents} (chain_id, order_uid, key, label, reason, auction_id, data)
      select ${chainId}::integer, c.uid, concat_ws(':', c.label, c.reason, ${auctionId}::bigint), c.label::order_event_label,
        c.reason, ${auctionId}::bigint, c.data
      from changes as c where c.is_damped is not true
      on conflict do nothing
      returning ${loggedColumns}
    )
    ${insertNotifications(sql`logged`)}`)
}
