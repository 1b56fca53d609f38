import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { logEvents } from '../notifications/notifications.ts'

/**
 * The first on-chain invalidation of an order that is not yet cancelled, and its sender: the owner, or the contract
 * that placed the order. The settlement contract lets an owner repeat an invalidation.
 */
export const insertCancelledEvents = (database: Database, chainId: number, fromBlock: number) =>
  logEvents(
    database,
    sql`
    insert into ${orderEvents} (chain_id, order_uid, key, label, block_number, data)
    select i.chain_id, i.order_uid, 'cancelled:' || i.block_number || ':' || i.log_index, 'cancelled', i.block_number,
      jsonb_build_object('by', '0x' || encode(i.owner, 'hex'))
    from ${invalidations} i
    join ${orders} o on o.chain_id = i.chain_id and o.uid = i.order_uid
    where i.chain_id = ${chainId} and i.block_number >= ${fromBlock}
      and not exists (select 1 from ${orderEvents} e
        where e.chain_id = i.chain_id and e.order_uid = i.order_uid and e.label = 'cancelled')
      and not exists (select 1 from ${invalidations} earlier
        where earlier.chain_id = i.chain_id and earlier.order_uid = i.order_uid and earlier.block_number >= ${fromBlock}
          and (earlier.block_number, earlier.log_index) < (i.block_number, i.log_index))
    order by i.block_number, i.log_index
    on conflict do nothing`,
  )
