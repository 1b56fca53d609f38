import { and, eq, gte, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { notificationType } from '../../tables/enums.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { newestFirst } from '../fragments/newestFirst.ts'

export type Notification = typeof notifications.$inferSelect
export type StoredNotificationType = Notification['type']

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
 * orders belong to their solver and notify no account.
 * @param logged a table with `loggedColumns`
 */
export const insertNotifications = (logged: SQL): SQL => sql`
  insert into ${notifications} as n (chain_id, account, order_uid, type, key, event_id, block_number, facts, created_at)
  select e.chain_id, coalesce(o.onchain_user, o.owner), e.order_uid, notified.type::notification_type, notified.key, e.id,
    e.block_number, jsonb_build_object(
      'kind', o.kind, 'partiallyFillable', o.partially_fillable,
      'sellToken', ${toHex(sql`o.sell_token`)}, 'buyToken', ${toHex(sql`o.buy_token`)},
      'sellAmount', o.sell_amount::text, 'buyAmount', o.buy_amount::text,
      'validTo', coalesce(o.user_valid_to, o.valid_to), 'placedOnchain', o.onchain_user is not null,
      'executedSellAmount', executed.sell::text, 'executedBuyAmount', executed.buy::text
    ) || notified.facts, e.created_at
  from ${logged} as e
  join ${orders} as o on o.chain_id = e.chain_id and o.uid = e.order_uid and o.jit_block is null
  left join ${trades} as t on e.label = 'traded' and t.chain_id = e.chain_id and t.order_uid = e.order_uid
    and t.block_number = e.block_number and e.key = 'traded:' || t.block_number || ':' || t.log_index
  left join ${orderQuotes} as q on q.chain_id = e.chain_id and q.order_uid = e.order_uid
  cross join lateral (
    select coalesce(sum(sell_amount), 0) as sell, coalesce(sum(buy_amount), 0) as buy, coalesce(sum(fee_amount), 0) as fee,
      count(*) filter (where transaction_hash = t.transaction_hash) as of_transaction
    from ${trades}
    where chain_id = e.chain_id and order_uid = e.order_uid
      and (t.block_number is null or (block_number, log_index) <= (t.block_number, t.log_index))
  ) as executed
  cross join lateral (${selectGain}) as gain
  cross join lateral (${notificationRows}) as notified(type, key, facts)
  order by e.id
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

const notificationRows = sql`
  select case when ${isFilled} then 'order_filled' else 'order_partially_filled' end, trade.key, trade.facts
  from (${selectTrade()}) as trade where e.label = 'traded'
  union all
  select 'price_improvement', trade.key, trade.facts
  from (${selectTrade()}) as trade where e.label = 'traded' and ${isPriceImproved}
  union all
  select 'order_cancelled', 'cancelled', jsonb_build_object('cancellation', jsonb_build_object(
    'by', e.data->>'by', 'replacedBy', e.data->>'replacedBy', 'transactionHash', (
      select ${toHex(sql`i.transaction_hash`)} from ${invalidations} as i
      where i.chain_id = e.chain_id and i.order_uid = e.order_uid and i.block_number = e.block_number
        and e.key = 'cancelled:' || i.block_number || ':' || i.log_index)))
  where e.label = 'cancelled' and not ${isFilled}
  union all
  select 'order_expired', 'expired', '{}'::jsonb where e.label = 'expired'
  union all
  select 'insufficient_balance', e.key, jsonb_build_object('funds', jsonb_build_object(
    'lacks', substring(e.reason from 14), 'needed', e.data->>'needed', 'available', e.data->>'available'))
  where e.label = 'invalid' and e.reason in ('insufficient_balance', 'insufficient_allowance')
    and not exists (
      select 1 from ${notifications}
      where chain_id = e.chain_id and order_uid = e.order_uid and type = 'insufficient_balance'
        and created_at > e.created_at - ${quietTime})`

/** A transaction can trade an order more than once only in parts; each has its notification. */
function selectTrade(): SQL {
  return sql`
    select encode(t.transaction_hash, 'hex') || ':' || executed.of_transaction as key,
      jsonb_build_object('trade', jsonb_build_object(
        'transactionHash', ${toHex(sql`t.transaction_hash`)}, 'blockNumber', t.block_number, 'logIndex', t.log_index,
        'sellAmount', t.sell_amount::text, 'buyAmount', t.buy_amount::text, 'feeAmount', t.fee_amount::text,
        'surplus', gain.surplus::text, 'limitAmount', gain.limit_amount::text,
        'quotedAmount', gain.quoted_amount::text)) as facts`
}

function toHex(bytes: SQL): SQL {
  return sql`'0x' || encode(${bytes}, 'hex')`
}

/** Retracts notifications of blocks from `fromBlock` on, unless the chain repeats them. */
export const retractNotifications = (database: Database, chainId: number, fromBlock: number) =>
  database
    .update(notifications)
    .set({ retractedAt: sql`now()`, revision: sql`${notifications.revision} + 1` })
    .where(
      and(
        eq(notifications.chainId, chainId),
        gte(notifications.blockNumber, fromBlock),
        isNull(notifications.retractedAt),
      ),
    )

type NotificationFilter = {
  limit: number
  /** upper bound of ids, exclusive */
  before?: number | undefined
  /** all when undefined */
  types?: readonly StoredNotificationType[] | undefined
  /** all when undefined */
  chainIds?: readonly number[] | undefined
}

/** Notifications of an account on all networks, newest first, without retracted ones. */
export const selectNotifications = async (
  database: Database,
  account: Address,
  filter: NotificationFilter,
): Promise<Notification[]> => {
  const { limit, before, types, chainIds } = filter
  const isWanted =
    types || chainIds
      ? sql`${notifications.id} in (${selectFiltered(account, filter)})`
      : and(
          eq(notifications.account, account),
          isNull(notifications.retractedAt),
          before === undefined ? undefined : lt(notifications.id, before),
        )
  return database.select().from(notifications).where(isWanted).orderBy(newestFirst(notifications.id)).limit(limit)
}

/**
 * The newest of each network and type, each read from its own place in an index: notifications of other types cost
 * nothing.
 */
const selectFiltered = (account: Address, { limit, before, types, chainIds }: NotificationFilter): SQL => {
  const isOfAccount = sql`n.account = decode(${account.slice(2)}, 'hex') and n.retracted_at is null`
  const wanted = new Set(types ?? notificationType.enumValues)
  return sql`
    select found.id
    from (${chainIds ? sql`select unnest(${toArray(new Set(chainIds))}::integer[])` : selectChains(isOfAccount)}) as chain(id)
    cross join unnest(${toArray(wanted)}::notification_type[]) as wanted(type)
    cross join lateral (
      select n.id from ${notifications} as n
      where ${isOfAccount} and n.chain_id = chain.id and n.type = wanted.type
        ${before === undefined ? sql`` : sql`and n.id < ${before}`}
      order by n.id desc nulls last limit ${limit}
    ) as found
    order by found.id desc limit ${limit}`
}

/** Networks with notifications of an account, in ascending order. */
const selectChains = (isOfAccount: SQL): SQL => {
  const next = (condition: SQL) => sql`
    (select n.chain_id from ${notifications} as n where ${isOfAccount} ${condition} order by n.chain_id limit 1)`
  return sql`
    with recursive told_on(id) as (
      select ${next(sql``)}
      union all
      select ${next(sql`and n.chain_id > told_on.id`)} from told_on where told_on.id is not null
    )
    select id from told_on where id is not null`
}

const toArray = (values: ReadonlySet<string | number>): string => `{${[...values].join(',')}}`

/**
 * Deletes notifications from before a time, with their deliveries. Reads only the oldest by id: a newer one among them, whose
 * event was indexed late, stays until its own time. One that was not dispatched stays until it is: another database may not
 * have it yet. None of the last 31 days by the database's clock is deleted, since a wrong clock of a Worker would delete them for good.
 * @param limit maximum number of notifications that are read
 * @returns the number of deleted ones
 */
export const deleteOldNotifications = async (
  database: Database,
  createdBefore: Date,
  limit: number,
): Promise<number> => {
  const { rows } = await database.execute<{ deleted: number }>(sql`
    with oldest as (select id, created_at, dispatched_revision >= revision as is_dispatched
      from ${notifications} order by id limit ${limit}),
    deleted as (
      delete from ${notifications}
      where id = any(array(
        select id from oldest where is_dispatched
          and created_at < least(${createdBefore.toISOString()}::timestamptz, now() - interval '31 days')))
      returning 1
    )
    select count(*)::integer as deleted from deleted`)
  return rows[0]?.deleted ?? 0
}
