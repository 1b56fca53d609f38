import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { JsonObject } from '#shared/http/errors.ts'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { logEvents } from '../notifications/notifications.ts'
import type { ProgressLabel } from './progressEvents.ts'

/** What an auction did to an order; `reason` says why it is `filtered` or `invalid`, `data` the numbers behind that. */
export type OrderTransition = { uid: Hex; label: ProgressLabel; reason: string | null; data?: JsonObject | null }

/**
 * Logs what an auction did to orders, and tells their accounts of it: only what differs from an order's newest event by its label or reason, and nothing after
 * a cancellation. Doing it twice writes once.
 */
export const insertTransitions = (
  database: Database,
  chainId: number,
  auctionId: number,
  transitions: readonly OrderTransition[],
) => {
  const rows = transitions.map(({ uid, label, reason, data }) => ({ uid: uid.slice(2), label, reason, data }))
  return logEvents(
    database,
    sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, reason, auction_id, data)
    select ${chainId}::integer, t.uid, concat_ws(':', t.label, t.reason, ${auctionId}::bigint), t.label::order_event_label,
      t.reason, ${auctionId}::bigint, t.data
    from (
      select decode(value->>'uid', 'hex') as uid, value->>'label' as label, value->>'reason' as reason,
        nullif(value->'data', 'null'::jsonb) as data
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb)
    ) as t
    left join lateral (
      select e.label, e.reason from ${orderEvents} e
      where e.chain_id = ${chainId} and e.order_uid = t.uid and e.label not in ('expired', 'undone') order by e.id desc limit 1
    ) as newest on true
    where (newest.label::text, newest.reason) is distinct from (t.label, t.reason)
      and newest.label is distinct from 'cancelled'
    on conflict do nothing`,
  )
}
