import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { placedOver } from '../orders/takeover.ts'

/**
 * The creation time of an order placed on-chain is its placement, even when the row was first posted over the API. A
 * block whose time is ahead of this clock is written down now: no later event may have an earlier time. An order whose
 * events are archived has ended and been created.
 */
export const insertPlacedEvents = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, reason, created_at, block_number)
    select p.chain_id, p.order_uid, case when isOver then 'placed' else 'created' end, 'created',
      case when isOver then ${placedOver} end, least(p.placed_at, now()), p.block_number
    from ${orderPlacements} p
    join ${orders} o on o.chain_id = p.chain_id and o.uid = p.order_uid and o.onchain_user is not null
    cross join lateral (select exists (
      select 1 from ${orderEvents} e
      where e.chain_id = p.chain_id and e.order_uid = p.order_uid and e.key = 'created' and e.block_number is null
    ) as isOver) as earlier
    where p.chain_id = ${chainId} and p.block_number >= ${fromBlock} and not exists (
      select 1 from ${orderEvents} e
      where e.chain_id = p.chain_id and e.order_uid = p.order_uid and e.archive_part is not null)
    order by p.block_number, p.log_index
    on conflict do nothing`)
