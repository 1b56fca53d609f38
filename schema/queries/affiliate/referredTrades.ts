import { type SQL, sql } from 'drizzle-orm'
import { networks } from '#shared/networks.ts'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { nearestPrice } from '../markets/priceSamples.ts'

/** Why a trade counts for its code or not; the first that applies. */
export const eligibilityReasons = [
  'code_not_found',
  'ref_after_first_trade',
  'code_mismatch_after_binding',
  'time_cap_exceeded',
  'code_disabled',
  'value_unknown',
  'volume_cap_reached',
  'eligible',
] as const

export type EligibilityReason = (typeof eligibilityReasons)[number]

const networkList = sql.join(
  Object.values(networks).map(({ chainId, wrappedNative }) =>
    sql.raw(`(${chainId}, '\\x${wrappedNative.slice(2)}'::bytea)`),
  ),
  sql`, `,
)

const nativePrice = nearestPrice(sql`used.chain_id`, sql`network.wrapped_native`, sql`used.settled_at`)

/**
 * Common table expressions that judge the trades of some traders, on all networks of the database:
 * - `bindings(trader, code, linked_since, is_first)`: the first code that a trader used and the time of that trade.
 * `is_first`: that trade is the trader's first; otherwise the code does not bind. A code counts from its registration
 * on.
 * - `judged`: every trade with a code, its value and its counted part.
 *
 * A trade counts when its trader is bound to its code, for `time_cap_days` from the first such trade on, until the code
 * is disabled, and while the trader's volume is within `volume_cap`; the trade that crosses the cap counts in part.
 *
 * value = sell amount / 10^18 · auction price of the sell token / 10^18 · price of the native token
 *
 * atoms, wei per 10^18 atoms, US dollars; rounded to a millionth of a dollar. The native token's price is the sample
 * nearest to the block. Without an auction, an auction price or a sample, the value is unknown. An order placed by a
 * contract belongs to its on-chain user. Settled orders that were never in this order book are excluded.
 * @param traders a statement that selects their addresses as `trader`
 */
export const referredTrades = (traders: SQL): SQL => sql`
  networks (chain_id, wrapped_native) as (values ${networkList}),
  traders as (${traders}),
  traded as (
    select traders.trader, t.*, s.settled_at, s.auction_id, o.referrer_code, a.code, a.time_cap_days, a.disabled_at,
      a.volume_cap::numeric as volume_cap,
      row_number() over (
        partition by traders.trader order by s.settled_at, t.chain_id, t.block_number, t.log_index) as number
    from traders
    cross join lateral (
      select * from ${trades} t
      where t.chain_id = any(array(select chain_id from networks)) and t.owner = traders.trader
      union all
      select t.* from ${orders} o join ${trades} t on t.chain_id = o.chain_id and t.order_uid = o.uid
      where o.chain_id = any(array(select chain_id from networks)) and o.onchain_user = traders.trader
        and t.owner <> traders.trader
    ) as t
    join ${orders} o on o.chain_id = t.chain_id and o.uid = t.order_uid
      and coalesce(o.onchain_user, o.owner) = traders.trader
    join ${settlements} s on s.chain_id = t.chain_id and s.block_number = t.block_number
      and s.log_index = t.settlement_log_index
    left join ${affiliates} a on a.code = o.referrer_code and a.created_at <= o.created_at
  ),
  linked as (
    select traded.*, first_value(code) over first as first_code, first_value(settled_at) over first as linked_since,
      first_value(number) over first as first_number, first_value(number) over first = 1 as is_first
    from traded
    window first as (partition by trader order by code is null, number)
  ),
  bindings as (
    select trader, first_code as code, linked_since, is_first from linked where number = first_number and code is not null
  ),
  used as (
    select linked.*, is_first and code = first_code as is_bound, case when is_first then first_code end as bound_code,
      case
        when code is null then 'code_not_found'
        when not is_first then 'ref_after_first_trade'
        when code <> first_code then 'code_mismatch_after_binding'
        when settled_at > linked_since + time_cap_days * interval '24 hours' then 'time_cap_exceeded'
        when settled_at >= disabled_at then 'code_disabled'
      end as obstacle
    from linked
    where referrer_code is not null
  ),
  valued as materialized (
    select used.*, value, coalesce(obstacle, case when value is null then 'value_unknown' end) as refusal
    from used
    join networks network using (chain_id)
    left join ${auctions} auction on auction.chain_id = used.chain_id and auction.id = used.auction_id
    cross join lateral (
      select round(sell_amount * (auction.prices ->> ('0x' || encode(sell_token, 'hex')))::numeric / 1e36
        * (${nativePrice})::numeric, 6) as value
    ) as priced
  ),
  counted as (
    select *, coalesce(sum(value) filter (where refusal is null) over (
      partition by trader order by number rows between unbounded preceding and 1 preceding), 0) as value_before
    from valued
  ),
  judged as (
    select *,
      coalesce(refusal, case when volume_cap > 0 and value_before >= volume_cap then 'volume_cap_reached' else 'eligible' end)
        as reason,
      case
        when refusal is not null then 0
        when volume_cap > 0 then least(value, greatest(volume_cap - value_before, 0))
        else value
      end as counted_value
    from counted
  )`
