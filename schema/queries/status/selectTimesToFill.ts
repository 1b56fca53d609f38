import { type SQL, sql } from 'drizzle-orm'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'

/** Times of more trades than this are taken from the newest ones: each takes two look-ups. */
const maxFills = 2_000

/**
 * Milliseconds `ms` from the creation of market orders to their first trade, of trades in the last hour. A limit order
 * waits for its price, and a pre-signed one for its owner: neither says how fast this service is. Block times may be
 * ahead of the database's clock or behind it.
 */
export const selectTimesToFill = (chainId: number): SQL => sql`
  select greatest(0, extract(epoch from newest.settled_at - greatest(o.created_at, to_timestamp(o.valid_from))) * 1000)::bigint as ms
  from (
    select block_number, log_index, settled_at from ${tradeValues}
    where chain_id = ${chainId} and settled_at > now() - interval '1 hour' order by settled_at desc limit ${maxFills}
  ) as newest
  join ${trades} as t on t.chain_id = ${chainId} and t.block_number = newest.block_number and t.log_index = newest.log_index
  join ${orders} as o on o.chain_id = ${chainId} and o.uid = t.order_uid
  where o.class = 'market' and o.signing_scheme <> 'presign' and not (o.partially_fillable and exists (
    select 1 from ${trades} as earlier where earlier.chain_id = ${chainId} and earlier.order_uid = t.order_uid
      and (earlier.block_number, earlier.log_index) < (t.block_number, t.log_index)))`
