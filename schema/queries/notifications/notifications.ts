import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { executedFeeOf } from '../fragments/executedFee.ts'

export type Notification = typeof notifications.$inferSelect
export type StoredNotificationType = Notification['type']

const toHex = (bytes: SQL): SQL => sql`'0x' || encode(${bytes}, 'hex')`

/** Least time between two notifications about missing funds of one order. */
const quietTime = sql`interval '1 hour'`

/** Columns that an insert into order_events must return for `insertNotifications`. */
export const loggedColumns = sql`id, chain_id, order_uid, key, label, reason, created_at, block_number, data`

/**
 * Runs an insert into order_events and writes the notifications of its events in the same statement.
 * @param insertion without its `returning`
 */
export const logEvents = (database: Database, insertion: SQL) =>
  database.execute(sql`with logged as (${insertion} returning ${loggedColumns}) ${insertNotifications(sql`logged`)}`)

/**
 * Inserts the notifications of logged events, each once; one statement must not log the same event twice. A
 * notification that a reorganisation retracted and the chain repeats is confirmed with the new figures. Just-in-time
 * orders belong to their solver and notify no account. The end of a conditional order is one of its newest part; without any it
 * notifies no account.
 * @param logged a table with `loggedColumns`
 */
export const insertNotifications = (logged: SQL): SQL => sql`
  insert into ${notifications} as n (chain_id, account, order_uid, type, key, event_id, block_number, facts, created_at)
  select e.chain_id, coalesce(o.onchain_user, o.owner), o.uid, notified.type::notification_type, notified.key, e.id,
    e.block_number, jsonb_build_object(
      'kind', o.kind, 'partiallyFillable', o.partially_fillable,
      'sellToken', ${toHex(sql`o.sell_token`)}, 'buyToken', ${toHex(sql`o.buy_token`)},
      'sellAmount', o.sell_amount::text, 'buyAmount', o.buy_amount::text,
      'validTo', coalesce(o.user_valid_to, o.valid_to), 'placedOnchain', o.onchain_user is not null,
      'executedSellAmount', executed.sell::text, 'executedBuyAmount', executed.buy::text
    ) || notified.facts, e.created_at
  from ${logged} as e
  left join ${conditionalOrders} as c on e.label = 'ended' and c.chain_id = e.chain_id
    and c.owner = substring(e.order_uid from 1 for 20) and c.hash = substring(e.order_uid from 21)
  join ${orders} as o on o.chain_id = e.chain_id and o.uid = coalesce(c.part_uid, e.order_uid) and o.jit_block is null
  left join ${trades} as t on e.label = 'traded' and t.chain_id = e.chain_id and t.order_uid = e.order_uid
    and t.block_number = e.block_number and e.key = 'traded:' || t.block_number || ':' || t.log_index
  left join ${orderQuotes} as q on q.chain_id = e.chain_id and q.order_uid = e.order_uid
  cross join lateral (
    select coalesce(sum(sell_amount), 0) as sell, coalesce(sum(buy_amount), 0) as buy, coalesce(sum(fee_amount), 0) as fee,
      count(*) filter (where transaction_hash = t.transaction_hash) as of_transaction
    from ${trades}
    where chain_id = e.chain_id and order_uid = o.uid
      and (t.block_number is null or (block_number, log_index) <= (t.block_number, t.log_index))
  ) as executed
  cross join lateral (${selectGain}) as gain
  cross join lateral (${notificationRows}) as notified(type, key, facts)
  -- by their names, a fill comes before its price improvement
  order by e.id, notified.type
  on conflict (chain_id, order_uid, type, key) do update
    set retracted_at = null, revision = n.revision + 1, event_id = excluded.event_id, block_number = excluded.block_number,
      facts = excluded.facts
    where n.retracted_at is not null`

/**
 * Surplus of a trade over its order's limit, and the amounts by limit and quote: buy token atoms of a sell order, sell
 * token atoms of a buy order. The limit is rounded in the trader's favour, the quote (after its network fee) against
 * the trader. A sell order that signs the fee of its quote pays it on top of its price, so its quote counts without the
 * fee.
 */
const selectGain = sql`
  select case o.kind when 'sell' then t.buy_amount - at_limit.amount else at_limit.amount - t.sell_amount + t.fee_amount end
      as surplus, at_limit.amount as limit_amount,
    case o.kind
      when 'sell' then div((t.sell_amount - t.fee_amount) * q.buy_amount
        * case when o.fee_amount > 0 then q.sell_amount else greatest(q.sell_amount - q.fee_amount, 0) end,
        nullif(q.sell_amount * q.sell_amount, 0))
      else div(t.buy_amount * (q.sell_amount + q.fee_amount) + q.buy_amount - 1, nullif(q.buy_amount, 0))
    end as quoted_amount
  from (
    select case o.kind
      when 'sell' then div((t.sell_amount - t.fee_amount) * o.buy_amount + o.sell_amount - 1, nullif(o.sell_amount, 0))
      else div(t.buy_amount * o.sell_amount, nullif(o.buy_amount, 0))
    end as amount
  ) as at_limit`

/** At least a basis point over the limit, so that rounding alone is not reported as surplus. */
const isPriceImproved = sql`gain.surplus > 0 and gain.surplus * 10000 >= gain.limit_amount`

const isFilled = sql`case o.kind
  when 'sell' then executed.sell - executed.fee >= o.sell_amount else executed.buy >= o.buy_amount end`

/** A transaction can trade an order more than once only in parts; each has its notification. */
const selectTrade = sql`
    select encode(t.transaction_hash, 'hex') || ':' || executed.of_transaction as key,
      jsonb_build_object('trade', jsonb_build_object(
        'transactionHash', ${toHex(sql`t.transaction_hash`)}, 'blockNumber', t.block_number, 'logIndex', t.log_index,
        'sellAmount', t.sell_amount::text, 'buyAmount', t.buy_amount::text, 'feeAmount', t.fee_amount::text,
        'executedFee', ${executedFeeOf(sql`t`)}::text,
        'surplus', gain.surplus::text, 'limitAmount', gain.limit_amount::text,
        'quotedAmount', gain.quoted_amount::text)) as facts`

const notificationRows = sql`
  select case when ${isFilled} then 'order_filled' else 'order_partially_filled' end, trade.key, trade.facts
  from (${selectTrade}) as trade where e.label = 'traded'
  union all
  select 'price_improvement', trade.key, trade.facts
  from (${selectTrade}) as trade where e.label = 'traded' and ${isPriceImproved}
  union all
  select 'order_cancelled', 'cancelled', jsonb_build_object('cancellation', jsonb_build_object(
    'by', e.data->>'by', 'replacedBy', e.data->>'replacedBy', 'transactionHash', (
      select ${toHex(sql`i.transaction_hash`)} from ${invalidations} as i
      where i.chain_id = e.chain_id and i.order_uid = e.order_uid and i.block_number = e.block_number
        and e.key = 'cancelled:' || i.block_number || ':' || i.log_index and i.log_index >= 0)))
  where e.label = 'cancelled' and not ${isFilled}
  union all
  select 'order_expired', 'expired', '{}'::jsonb where e.label = 'expired'
  union all
  select 'conditional_order_ended', e.key,
    jsonb_build_object('conditional', jsonb_build_object('hash', ${toHex(sql`c.hash`)}, 'reason', e.reason))
  where e.label = 'ended'
  union all
  select 'insufficient_balance', e.key, jsonb_build_object('funds', jsonb_build_object(
    'lacks', substring(e.reason from 14), 'needed', e.data->>'needed', 'available', e.data->>'available'))
  where e.label = 'invalid' and e.reason in ('insufficient_balance', 'insufficient_allowance')
    and not exists (
      select 1 from ${notifications}
      where chain_id = e.chain_id and order_uid = e.order_uid and type = 'insufficient_balance'
        and created_at > e.created_at - ${quietTime})`
