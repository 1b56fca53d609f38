import { type SQL, sql } from 'drizzle-orm'
import { affiliates } from '../../tables/affiliate/affiliates.ts'
import { carriedTrades } from '../../tables/affiliate/carriedTrades.ts'
import { referredHours } from '../../tables/affiliate/referredHours.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { networkRows } from './networkRows.ts'
import { tradesOfHour } from './tradesOfHour.ts'

/** Why a trade counts for its code or not; the first that applies. */
export const eligibilityReasons = [
  'code_not_found',
  'ref_after_first_trade',
  'code_mismatch_after_binding',
  'time_cap_exceeded',
  'code_disabled',
  'value_unknown',
  'no_protocol_fee',
  'volume_cap_reached',
  'eligible',
] as const

export type EligibilityReason = (typeof eligibilityReasons)[number]

/** Hours of a network that the service knows. */
export const isOfNetwork = sql`h.chain_id = any(array(select chain_id from networks))`
const capEnd = sql`b.linked_since + a.time_cap_days * interval '24 hours'`

const firstTradeIn = (table: SQL): SQL => sql`(
  select chain_id, settled_at, block_number, log_index from ${table} as v
  where v.chain_id = networks.chain_id and v.trader = traders.trader order by v.block_number, v.log_index limit 1)`

/**
 * Common table expressions about some traders, on all networks of the database:
 * - `bindings(trader, code, linked_since, is_first)`: the first registered code that a trader used and the time of that
 * trade. `is_first`: that trade is the trader's first; otherwise the code does not bind. A code counts from its
 * registration on.
 * - `counted(trader, hour, value)`: parts of the traders' volumes without the volume cap: a stored sum of an hour, or a
 *   trade of
 * an hour without a sum or in which the counting ends. All values are known.
 *
 * A trade counts when its trader is bound to its code, for `time_cap_days` from the first such trade on, until the code
 * is disabled, and while the trader's volume is within `volume_cap`; the trade that crosses the cap counts in part. An
 * order placed by a contract belongs to its on-chain user. Settled orders that were never in this order book are
 * excluded.
 * @param traders a statement that selects their addresses as `trader`
 * @param which a condition on the affiliates `a` whose traders are counted
 * @param before a time: later hours are not counted
 */
export const referredVolumes = (
  traders: SQL,
  { which = sql`true`, before = sql`'infinity'::timestamptz` }: { which?: SQL; before?: SQL } = {},
): SQL => sql`
  networks (chain_id, wrapped_native) as ${networkRows},
  traders as (${traders}),
  bindings as (
    select traders.trader, h.code, h.first_settled_at as linked_since,
      (h.chain_id, h.first_block, h.first_log_index) = (f.chain_id, f.block_number, f.log_index) as is_first
    from traders
    cross join lateral (
      select * from ${referredHours} h where h.trader = traders.trader and h.is_registered and ${isOfNetwork}
      order by h.hour, h.first_settled_at, h.chain_id, h.first_block, h.first_log_index limit 1
    ) as h
    cross join lateral (
      select v.* from networks cross join lateral (
        ${firstTradeIn(sql`${tradeValues}`)}
        union all
        ${firstTradeIn(sql`${carriedTrades}`)}
      ) as v
      order by v.settled_at, v.chain_id, v.block_number, v.log_index limit 1
    ) as f
  ),
  counting as materialized (
    select b.trader, b.code, b.linked_since, ${capEnd} as cap_end, a.disabled_at
    from bindings b join ${affiliates} a on a.code = b.code
    where b.is_first and ${which}
  ),
  bound as (
    select h.*, c.cap_end, c.disabled_at,
      h.value is not null and h.hour + interval '1 hour' <= least(c.cap_end, c.disabled_at) as is_whole
    from counting c cross join lateral (
      -- offset: the hours of each trader are read by their index, not all and then filtered
      select * from ${referredHours} h
      where h.trader = c.trader and h.code = c.code and h.is_registered and ${isOfNetwork}
        and h.hour >= c.linked_since - interval '1 hour' and h.hour <= least(c.cap_end, c.disabled_at)
        and h.hour < ${before}
      offset 0
    ) as h
  ),
  counted as (
    select trader, hour, value from bound where is_whole and valued_trades > 0
    union all
    select h.trader, h.hour, t.counted from bound h cross join lateral ${tradesOfHour(sql`h`)} as t
    where not h.is_whole and t.counted is not null and t.settled_at <= h.cap_end
      and (h.disabled_at is null or t.settled_at < h.disabled_at)
  )`

/**
 * The part of a volume within a cap.
 * @param volume null: no trade counts
 * @param cap 0: no cap
 */
export const withinCap = (volume: SQL, cap: SQL): SQL =>
  // 'least' skips null: without the 'coalesce' no volume would be a full cap
  sql`least(coalesce(${volume}, 0), case when ${cap} > 0 then ${cap}::numeric end)`
