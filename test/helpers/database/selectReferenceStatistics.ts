import { type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '#schema/client.ts'
import { nearestPrice } from '#schema/queries/markets/priceSamples.ts'
import { affiliates } from '#schema/tables/affiliate/affiliates.ts'
import { auctions } from '#schema/tables/auctions/auctions.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { executions } from '#schema/tables/settlements/executions.ts'
import { settlements } from '#schema/tables/settlements/settlements.ts'
import { trades } from '#schema/tables/settlements/trades.ts'
import { networks } from '#shared/networks.ts'

const networkList = sql.join(
  Object.values(networks).map(({ chainId, wrappedNative }) =>
    sql.raw(`(${chainId}, '\\x${wrappedNative.slice(2)}'::bytea)`),
  ),
  sql`, `,
)

const nativePrice = nearestPrice(sql`used.chain_id`, sql`network.wrapped_native`, sql`used.settled_at`)

/** Judges every trade of some traders: the statement before hours of trades had sums. */
const referredTrades = (traders: SQL): SQL => sql`
  networks (chain_id, wrapped_native) as (values ${networkList}),
  traders as (${traders}),
  traded as (
    select traders.trader, t.*, s.settled_at, s.auction_id, o.referrer_code, a.code, a.time_cap_days, a.disabled_at, a.trigger_volume, a.reward_amount,
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
    select used.*, value, counted, coalesce(obstacle, case when value is null then 'value_unknown'
      when counted is null then 'no_protocol_fee' end) as refusal
    from used
    join networks network using (chain_id)
    left join ${auctions} auction on auction.chain_id = used.chain_id and auction.id = used.auction_id
    left join ${executions} e on e.chain_id = used.chain_id and e.auction_id = used.auction_id and e.order_uid = used.order_uid
    cross join lateral (
      select div((e.protocol_fees -> 0 ->> 'amount')::numeric
          * (auction.prices ->> ('0x' || encode(sell_token, 'hex')))::numeric, 1e18::numeric) as fee,
        div(least(sell_amount * (auction.prices ->> ('0x' || encode(sell_token, 'hex')))::numeric,
          buy_amount * (auction.prices ->> ('0x' || encode(buy_token, 'hex')))::numeric), 1e18::numeric) as volume
    ) as amounts
    cross join lateral (
      select round(volume / 1e18 * (${nativePrice})::numeric, 6) as value,
        case when fee > 0 and volume is not null then
          round(least(volume, fee * trigger_volume::numeric / reward_amount::numeric) / 1e18 * (${nativePrice})::numeric, 6)
        end as counted
    ) as priced
  ),
  counted as (
    select *, coalesce(sum(counted) filter (where refusal is null) over (
      partition by trader order by number rows between unbounded preceding and 1 preceding), 0) as value_before
    from valued
  ),
  judged as (
    select *,
      coalesce(refusal, case when volume_cap > 0 and value_before >= volume_cap then 'volume_cap_reached' else 'eligible' end)
        as reason,
      case
        when refusal is not null then 0
        when volume_cap > 0 then least(counted, greatest(volume_cap - value_before, 0))
        else counted
      end as counted_value
    from counted
  )`

type Row = Record<string, string | boolean | null>

const toBytes = (address: Address): SQL => sql`decode(${address.slice(2)}, 'hex')`
const oneTrader = (trader: Address): SQL => sql`select ${toBytes(trader)} as trader`

/** The results of the statistics queries, computed from all trades, as text. */
export const selectReferenceStatistics = async (
  database: Database,
  trader: Address,
  wallet: Address,
): Promise<{ trader: Row[]; affiliate: Row[]; activity: Row[] }> => {
  const ofWallet = sql`a.wallet_address = ${toBytes(wallet)}`
  const [ofTrader, ofAffiliate, activity] = await database.batch([
    database.execute<Row>(sql`
      with ${referredTrades(oneTrader(trader))}
      select a.code, extract(epoch from b.linked_since)::text as linked_since,
        coalesce(trunc((select sum(counted_value) from judged) * 1000000), 0)::text as volume
      from bindings b join ${affiliates} a using (code) where b.is_first`),
    database.execute<Row>(sql`
      with ${referredTrades(sql`
        select distinct coalesce(o.onchain_user, o.owner) as trader
        from ${affiliates} a join ${orders} o on o.referrer_code = a.code and o.executed_sell_amount > 0
        where ${ofWallet}`)},
      volumes as (
        select trader, sum(counted_value) as volume, bool_or(reason = 'eligible') as counts from judged group by trader
      ),
      brought as (
        select b.linked_since, volumes.volume, volumes.counts
        from ${affiliates} a join bindings b on b.code = a.code and b.is_first join volumes using (trader)
        where ${ofWallet}
      )
      select coalesce(trunc(sum(brought.volume) * 1000000), 0)::text as volume,
        (count(*) filter (where brought.counts))::text as total_traders,
        (count(*) filter (where a.disabled_at is null and (a.volume_cap = 0 or brought.volume < a.volume_cap::numeric)
          and now() <= brought.linked_since + a.time_cap_days * interval '24 hours'))::text as active_traders
      from ${affiliates} a left join brought on true
      where ${ofWallet}
      group by a.wallet_address`),
    database.execute<Row>(sql`
      with ${referredTrades(oneTrader(trader))}
      select '0x' || encode(order_uid, 'hex') as order_uid, value::float8::text, counted_value::float8::text, referrer_code, bound_code,
        coalesce(is_bound, false) as is_bound, reason
      from judged order by number desc limit 50`),
  ])
  return { trader: ofTrader.rows, affiliate: ofAffiliate.rows, activity: activity.rows }
}
