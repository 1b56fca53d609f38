import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'

/** An order that a solver's driver cannot read; `reason` is for the public. */
export type DriverRefusal = { uid: Hex; solver: string; reason: string }

/** Drivers named in one event. */
const maxNamed = 10

/**
 * Logs which drivers refuse to read orders, as a further `ready` event of each that is in the auctions: the order remains
 * in them for the other drivers. Its `data` is that of the newest event with the driver added to `refusedBy`.
 */
export const insertDriverRefusals = (
  database: Database,
  chainId: number,
  auctionId: number,
  refusals: readonly DriverRefusal[],
) => {
  const rows = JSON.stringify(refusals.map(({ uid, ...refusal }) => ({ uid: uid.slice(2), ...refusal })))
  return database.execute(sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, auction_id, data)
    select ${chainId}::integer, r.uid, concat_ws(':', 'ready', ${auctionId}::bigint, 'refused', r.solver), 'ready', ${auctionId}::bigint,
      newest.data || jsonb_build_object('refusedBy',
        jsonb_path_query_array(
          jsonb_build_array(jsonb_build_object('solver', r.solver, 'reason', r.reason))
            || jsonb_path_query_array(newest.data, '$.refusedBy[*] ? (@.solver != $solver)', jsonb_build_object('solver', r.solver)),
          ${`$[0 to ${maxNamed - 1}]`}::jsonpath))
    from (
      select decode(value->>'uid', 'hex') as uid, value->>'solver' as solver, value->>'reason' as reason
      from jsonb_array_elements(${rows}::jsonb)
    ) as r
    cross join lateral (
      select e.label, coalesce(e.data, '{}') as data from ${orderEvents} e
      where e.chain_id = ${chainId} and e.order_uid = r.uid order by e.id desc limit 1
    ) as newest
    where newest.label = 'ready'
    on conflict do nothing`)
}
