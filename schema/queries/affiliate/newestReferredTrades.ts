import { type SQL, sql } from 'drizzle-orm'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { networkRows } from './networkRows.ts'
import { isOfNetwork, referredVolumes } from './referredTrades.ts'
import { tradesOfHour } from './tradesOfHour.ts'

/**
 * Common table expressions of `referredVolumes` for one trader, and the newest trades with a code, each with its value
 * and its counted part: `judged`, in the order of `number`. They are those of the newest hours that together have
 * `wanted` trades; the sums of older hours count towards the volume cap.
 */
export const newestReferredTrades = (trader: SQL, wanted: number): SQL => sql`
  newest as (
    select h.hour, coalesce(h.trades, 1) as trades from ${referredHours} h
    where h.trader = ${trader} and h.chain_id = any(array(select chain_id from ${networkRows} as n(chain_id, wrapped_native)))
    order by h.hour desc limit ${wanted}
  ),
  shown as (
    select min(hour) as since from (
      select hour, sum(trades) over (order by hour desc rows between unbounded preceding and current row) - trades as newer
      from newest
    ) as listed where newer < ${wanted}
  ),
  ${referredVolumes(sql`select ${trader} as trader`, { before: sql`(select since from shown)` })},
  used as (
    select t.*, h.code as referrer_code, b.linked_since, b.is_first and h.is_registered and h.code = b.code as is_bound,
      case when b.is_first then b.code end as bound_code, a.volume_cap::numeric as volume_cap,
      row_number() over (order by t.settled_at, t.chain_id, t.block_number, t.log_index) as number,
      case
        when not h.is_registered then 'code_not_found'
        when not b.is_first then 'ref_after_first_trade'
        when h.code <> b.code then 'code_mismatch_after_binding'
        when t.settled_at > b.linked_since + a.time_cap_days * interval '24 hours' then 'time_cap_exceeded'
        when t.settled_at >= a.disabled_at then 'code_disabled'
        when t.value is null then 'value_unknown'
        when t.counted is null then 'no_protocol_fee'
      end as refusal
    from ${referredHours} h
    left join bindings b on b.trader = h.trader
    left join ${affiliates} a on a.code = h.code and h.is_registered
    cross join lateral ${tradesOfHour(sql`h`)} as t
    where h.trader = ${trader} and h.hour >= (select since from shown) and ${isOfNetwork}
  ),
  measured as (
    select *, coalesce((select sum(value) from counted), 0) + coalesce(sum(counted) filter (where refusal is null) over (
      order by number rows between unbounded preceding and 1 preceding), 0) as value_before
    from used
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
    from measured
  )`
