import { type SQL, sql } from 'drizzle-orm'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { carriedTrades } from '../../tables/affiliate/carriedTrades.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { nearestPrice } from '../markets/priceSamples.ts'
import { networkRows } from './networkRows.ts'

/** The length of a row of `referred_hours`. */
export const anHour = sql`interval '1 hour'`

/**
 * The trades of one row of `referred_hours`, each with its value, as a subquery for a lateral join.
 *
 * value = sell amount / 10^18 · auction price of the sell token / 10^18 · price of the native token
 *
 * atoms, wei per 10^18 atoms, US dollars; rounded to a millionth of a dollar. The native token's price is the sample
 * nearest to the block. Without an auction, an auction price or a sample, the value is null.
 *
 * `offset 0` prevents Postgres from joining all trades of the trader with all of its hours.
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
