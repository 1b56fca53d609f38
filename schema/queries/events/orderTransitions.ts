import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { JsonObject } from '#shared/jsonObject.ts'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { logEvents } from '../notifications/notifications.ts'
import type { ProgressLabel } from './progressEvents.ts'

/** Outcome of an auction for an order; `reason` explains `filtered` and `invalid`, `data` has the figures. */
export type OrderTransition = { uid: Hex; label: ProgressLabel; reason: string | null; data?: JsonObject | null }

/**
 * Logs outcomes of an auction for orders and notifies their accounts. Writes only outcomes that differ from an order's
 * newest event in label or reason, and none after a cancellation. Idempotent.
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
