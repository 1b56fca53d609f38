import { type SQL, sql } from 'drizzle-orm'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { carriedTrades } from '../../tables/affiliate/carriedTrades.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { nearestPrice } from '../markets/priceSamples.ts'
import { networkRows } from './networkRows.ts'

/** The length of a row of `referred_hours`. */
export const anHour = sql`interval '1 hour'`

/**
 * The trades of one row of `referred_hours`, each with its value and the part that may count, as a subquery for a
 * lateral join.
 *
 *     value = volume / 10^18 · price of the native token
 *     counted = min(volume, protocol fee · trigger volume / reward amount) / 10^18 · price of the native token
 *
 * wei, US dollars; rounded to a millionth of a dollar. The native token's price is the sample nearest to the block.
 * Without a volume or a sample, both are null; without a protocol fee nothing counts. So no trade earns more than it
 * paid, and one with oneself loses its other costs.
 *
 * `offset 0` prevents Postgres from joining all trades of the trader with all of its hours.
 * @param hour alias of the row
 */
export const tradesOfHour = (hour: SQL): SQL => sql`(
  select t.*, ${inDollars(sql`t.volume`)} as value,
    case when t.volume is not null and t.protocol_fee > 0
      then ${inDollars(sql`least(t.volume, coalesce(t.protocol_fee * terms.factor, 0))`)} end as counted
  from (
    select t.chain_id, t.block_number, t.log_index, t.transaction_hash, t.order_uid, t.sell_token, t.buy_token, t.sell_amount,
      t.buy_amount, v.settled_at, v.volume, v.protocol_fee
    from (
      select * from ${tradeValues} where ${isInHour(hour)}
      offset 0
    ) as v
    join ${trades} t on t.chain_id = v.chain_id and t.block_number = v.block_number and t.log_index = v.log_index
    join ${orders} o on o.chain_id = t.chain_id and o.uid = t.order_uid
    where ${isOfCode(hour, sql`o.referrer_code`, sql`o.created_at`)}
    union all
    select chain_id, block_number, log_index, transaction_hash, order_uid, sell_token, buy_token, sell_amount, buy_amount,
      settled_at, coalesce(volume, div(sell_amount * price, 1000000000000000000)), protocol_fee
    from ${carriedTrades}
    where ${isInHour(hour)} and ${isOfCode(hour, sql`referrer_code`, sql`order_created_at`)}
    offset 0
  ) as t
  join ${networkRows} as network(chain_id, wrapped_native) on network.chain_id = t.chain_id
  left join (
    select a.trigger_volume::numeric / a.reward_amount::numeric as factor from ${affiliates} a where a.code = ${hour}.code
  ) as terms on true
  offset 0)`

const inDollars = (wei: SQL): SQL => sql`round(${wei} / 1e18
  * (${nearestPrice(sql`t.chain_id`, sql`network.wrapped_native`, sql`t.settled_at`)})::numeric, 6)`

const isInHour = (hour: SQL): SQL => sql`chain_id = ${hour}.chain_id and trader = ${hour}.trader
  and block_number between ${hour}.first_block and ${hour}.last_block
  and settled_at >= ${hour}.hour and settled_at < ${hour}.hour + ${anHour}`

const isOfCode = (hour: SQL, code: SQL, createdAt: SQL): SQL => sql`${code} = ${hour}.code
  and ${hour}.is_registered = exists (
    select 1 from ${affiliates} a where a.code = ${code} and a.created_at <= ${createdAt})`
