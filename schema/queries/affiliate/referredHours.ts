import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { anHour } from './tradesOfHour.ts'
/** The begin of the hour of a time, whatever the time zone of the session. */
export const hourOf = (time: SQL): SQL => sql`date_bin(${anHour}, ${time}, timestamptz '2000-01-01 00:00:00Z')`

/** Joins new trades with the row of their hour, which loses its sum. */
export const mergeHours: SQL = sql`
  on conflict (trader, hour, chain_id, code, is_registered) do update set
    first_settled_at = least(h.first_settled_at, excluded.first_settled_at),
    first_block = least(h.first_block, excluded.first_block),
    first_log_index = case when (excluded.first_block, excluded.first_log_index) < (h.first_block, h.first_log_index)
      then excluded.first_log_index else h.first_log_index end,
    last_block = greatest(h.last_block, excluded.last_block), value = null, trades = null, valued_trades = null
  where h.value is not null or h.last_block < excluded.last_block
    or (excluded.first_block, excluded.first_log_index) < (h.first_block, h.first_log_index)`

/**
 * Adds the trades with a code in `fromBlock` or later to the hours of their traders; runs after `insertTradeValues`. A
 * changed hour loses its sum. Running it again changes nothing while the hours of these blocks have no sums.
 */
export const insertReferredHours = (database: Database, chainId: number, fromBlock: number) =>
  database.execute(sql`
    insert into ${referredHours} as h (trader, hour, chain_id, code, is_registered, first_settled_at, first_block,
      first_log_index, last_block)
    select v.trader, ${hourOf(sql`v.settled_at`)}, v.chain_id, o.referrer_code, a.code is not null, min(v.settled_at),
      min(v.block_number), (array_agg(v.log_index order by v.block_number, v.log_index))[1], max(v.block_number)
    from ${tradeValues} v
    join ${trades} t on t.chain_id = v.chain_id and t.block_number = v.block_number and t.log_index = v.log_index
    join ${orders} o on o.chain_id = t.chain_id and o.uid = t.order_uid and o.referrer_code is not null
    left join ${affiliates} a on a.code = o.referrer_code and a.created_at <= o.created_at
    where v.chain_id = ${chainId} and v.block_number >= ${fromBlock}
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    ${mergeHours}`)

/**
 * Undoes the trades of `from` or later: hours that began before lose their sums, the others disappear.
 * @param condition otherwise nothing is undone
 */
export const deleteReferredHoursFrom = (
  database: Database,
  chainId: number,
  from: number,
  condition: SQL = sql`true`,
) =>
  database.execute(sql`
    with undone as (
      delete from ${referredHours}
      where chain_id = ${chainId} and last_block >= ${from} and first_block >= ${from} and ${condition}
    )
    update ${referredHours} set last_block = ${from - 1}::bigint, value = null, trades = null, valued_trades = null
    where chain_id = ${chainId} and last_block >= ${from} and first_block < ${from} and ${condition}`)
