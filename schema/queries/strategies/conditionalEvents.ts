import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Address, type Hex, size, slice } from 'viem'
import { conditionalParts } from '../../tables/orders/conditionalParts.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isUnfilled } from '../fragments/isUnfilled.ts'
import type { ConditionalKey } from './selectDue.ts'

/**
 * Events of one conditional order. Its owner can open and close it as often as they like, by a merkle root of each block;
 * beyond, the log has no further one, and the row has the present state.
 */
const maxEvents = 50
/** Newest parts that decide whether a finished order is complete. */
const maxParts = 1_000

/** Key of the events of a conditional order in the log of all events: 52 bytes, where orders have 56. */
export const toEventKey = (owner: SQL, hash: SQL): SQL => sql`(${owner} || ${hash})`

/** @returns undefined for the UID of an order */
export const readEventKey = (key: Hex): ConditionalKey | undefined =>
  size(key) === 52 ? { owner: slice(key, 0, 20), hash: slice(key, 20) } : undefined

/** Whether a key of the log is one of a conditional order, of this owner. */
export const isEventKey = (key: SQL, owner?: Address): SQL =>
  and(
    sql`octet_length(${key}) = 52`,
    owner && sql`substring(${key} from 1 for 20) = decode(${owner.slice(2)}, 'hex')`,
  ) as SQL

/**
 * Logs changes of conditional orders, each once; a change that the newest event of its order has already is left out.
 * @param changes a query with `event_key`, `key`, `label`, `reason`, `block_number`, `data`; `is_repeated`: whether an order that is
 * slowed was traded since; `part_count` of a TWAP
 */
export const insertChanges = (chainId: number, changes: SQL): SQL => sql`
  insert into ${orderEvents} (chain_id, order_uid, key, label, reason, block_number, data)
  select ${chainId}::integer, change.event_key, change.key, change.label::order_event_label,
    case when change.reason = 'finished' then case when parts.filled > 0 and parts.filled = parts.placed
      and parts.filled >= least(coalesce(change.part_count, 0), ${maxParts}) then 'completed' else 'expired' end
      else change.reason end,
    change.block_number, change.data
  from (${changes}) as change
  cross join lateral (
    select count(*) as events, (array_agg(past.label order by past.id desc))[1]::text as newest from (
      select e.id, e.label from ${orderEvents} as e
      where e.chain_id = ${chainId} and e.order_uid = change.event_key and e.label <> 'undone'
      order by e.id desc limit ${maxEvents}
    ) as past
  ) as log
  cross join lateral (
    select count(*) as placed, count(*) filter (where part.is_filled) as filled from (
      select not (${isUnfilled}) as is_filled from ${conditionalParts} as p
      join ${orders} on ${and(eq(orders.chainId, chainId), sql`${orders.uid} = p.order_uid`)}
      where change.reason = 'finished' and p.chain_id = ${chainId}
        and p.owner = substring(change.event_key from 1 for 20) and p.hash = substring(change.event_key from 21)
      order by p.placed_block desc limit ${maxParts}
    ) as part
  ) as parts
  where log.events < ${maxEvents} and case change.label
    when 'opened' then log.newest is null or log.newest = 'ended'
    when 'slowed' then log.newest = 'opened' or (log.newest = 'slowed' and change.is_repeated)
    else log.newest in ('opened', 'slowed') end
  order by change.event_key
  on conflict do nothing`
