import { type SQL, sql } from 'drizzle-orm'
import { networks } from '#shared/networks.ts'
import type { Database } from '../../client.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { carriedTrades } from '../../tables/affiliate/carriedTrades.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { keptBlocks } from '../chain/blocks.ts'
import { nearestPrice } from '../markets/priceSamples.ts'

const anHour = sql`interval '1 hour'`
/** The begin of the hour of a time, whatever the time zone of the session. */
export const hourOf = (time: SQL): SQL => sql`date_bin(${anHour}, ${time}, timestamptz '2000-01-01 00:00:00Z')`

/** Networks as rows `chain_id, wrapped_native`. */
export const networkRows: SQL = sql`(values ${sql.join(
  Object.values(networks).map(({ chainId, wrappedNative }) =>
    sql.raw(`(${chainId}, '\\x${wrappedNative.slice(2)}'::bytea)`),
  ),
  sql`, `,
)})`

export const wrappedNativeOf = (chainId: number) =>
  Object.values(networks).find((network) => network.chainId === chainId)?.wrappedNative ?? null

/** Most hours that one batch adds up: after an outage of the price samples the rest follows with the next batches. */
const summedAtOnce = 50

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

/** Trades before this time hardly change: that of the oldest of the newest `keptBlocks` blocks. */
export const finalTime = (chainId: number): SQL => sql`(select timestamp from ${blocks} where chain_id = ${chainId}
  and number > (select max(number) - ${keptBlocks}::bigint from ${blocks} where chain_id = ${chainId})
  order by number limit 1)`

/**
 * Adds up hours whose trades and values hardly change: the oldest of the newest `keptBlocks` blocks and a price sample of the
 * native token lie after them. A deeper reorganisation removes the sums. Samples are taken in time order, so that no later one is nearer to a trade.
 * @param finalAt for a network whose blocks are in another database
 */
export const sumReferredHours = (database: Database, chainId: number, finalAt: SQL = finalTime(chainId)) =>
  database.execute(sql`
    with final as (
      select least(
        ${finalAt},
        (select sampled_at from ${priceSamples}
          where chain_id = ${chainId} and token = ${sql.param(wrappedNativeOf(chainId), priceSamples.token)}
          order by sampled_at desc limit 1)) as until
    ),
    ended as materialized (
      select * from ${referredHours}
      where chain_id = ${chainId} and value is null and hour <= (select until from final) - ${anHour}
      order by hour limit ${summedAtOnce}
    ),
    summed as (
      select e.trader, e.hour, e.code, e.is_registered, coalesce(sum(t.value), 0) as value, count(t.block_number) as trades,
        count(t.value) as valued_trades
      from ended as e left join lateral ${tradesOfHour(sql`e`)} as t on true
      group by 1, 2, 3, 4
    )
    update ${referredHours} as h set value = s.value, trades = s.trades, valued_trades = s.valued_trades
    from summed as s
    where h.trader = s.trader and h.hour = s.hour and h.chain_id = ${chainId} and h.code = s.code
      and h.is_registered = s.is_registered`)

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

/**
 * The trades of one row of `referred_hours`, each with its value, as a subquery for a lateral join.
 *
 * value = sell amount / 10^18 · auction price of the sell token / 10^18 · price of the native token
 *
 * atoms, wei per 10^18 atoms, US dollars; rounded to a millionth of a dollar. The native token's price is the sample
 * nearest to the block. Without an auction, an auction price or a sample, the value is null.
 *
 * `offset 0` keeps Postgres from joining all trades of the trader with all of its hours.
 * @param hour alias of the row
 */
export const tradesOfHour = (hour: SQL): SQL => sql`(
  select t.*, round(t.sell_amount * t.price / 1e36
    * (${nearestPrice(sql`t.chain_id`, sql`network.wrapped_native`, sql`t.settled_at`)})::numeric, 6) as value
  from (
    select t.chain_id, t.block_number, t.log_index, t.transaction_hash, t.order_uid, t.sell_token, t.buy_token, t.sell_amount,
      t.buy_amount, v.settled_at, (auction.prices ->> ('0x' || encode(t.sell_token, 'hex')))::numeric as price
    from (
      select * from ${tradeValues} where ${isInHour(hour)}
      offset 0
    ) as v
    join ${trades} t on t.chain_id = v.chain_id and t.block_number = v.block_number and t.log_index = v.log_index
    join ${orders} o on o.chain_id = t.chain_id and o.uid = t.order_uid
    join ${settlements} s on s.chain_id = t.chain_id and s.block_number = t.block_number
      and s.log_index = t.settlement_log_index
    left join ${auctions} auction on auction.chain_id = s.chain_id and auction.id = s.auction_id
    where ${isOfCode(hour, sql`o.referrer_code`, sql`o.created_at`)}
    union all
    select chain_id, block_number, log_index, transaction_hash, order_uid, sell_token, buy_token, sell_amount, buy_amount,
      settled_at, price
    from ${carriedTrades}
    where ${isInHour(hour)} and ${isOfCode(hour, sql`referrer_code`, sql`order_created_at`)}
    offset 0
  ) as t
  join ${networkRows} as network(chain_id, wrapped_native) on network.chain_id = t.chain_id
  offset 0)`

const isInHour = (hour: SQL): SQL => sql`chain_id = ${hour}.chain_id and trader = ${hour}.trader
  and block_number between ${hour}.first_block and ${hour}.last_block
  and settled_at >= ${hour}.hour and settled_at < ${hour}.hour + ${anHour}`

const isOfCode = (hour: SQL, code: SQL, createdAt: SQL): SQL => sql`${code} = ${hour}.code
  and ${hour}.is_registered = exists (
    select 1 from ${affiliates} a where a.code = ${code} and a.created_at <= ${createdAt})`
