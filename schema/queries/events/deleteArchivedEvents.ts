import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { type EventsLine, eventsLineOf, isEventOf } from './eventsLine.ts'
import { isProgressEvent } from './progressEvents.ts'

/**
 * Deletes what the archive object `part` contains, in one statement: only events of orders whose line still has the
 * digest with which it was written, and only when a retained one names the object, although a reorganisation may delete
 * it at the same time. Retained are an order's cancellation, by which another one is recognised; its newest progress,
 * which is its status; and its newest event, by which a reader of the log notices that earlier ones are elsewhere. Of
 * its quote everything but the plan stays.
 * @returns the number of these orders
 */
export const deleteArchivedEvents = async (
  database: Database,
  chainId: number,
  part: Hex,
  lines: readonly Pick<EventsLine, 'uid' | 'digest'>[],
): Promise<number> => {
  const list = JSON.stringify(lines.map(({ uid, digest }) => [uid.slice(2), digest]))
  const { rows } = await database.execute<{ moved: number }>(sql`
    with written as (
      select decode(value->>0, 'hex') as uid, value->>1 as digest from jsonb_array_elements(${list}::jsonb)
    ),
    unchanged as materialized (
      select written.uid from written cross join lateral (
        select md5(${eventsLineOf(chainId, sql`written.uid`)}) as digest offset 0) as stored
      where stored.digest = written.digest
    ),
    retained as materialized (
      select newest.id from unchanged cross join lateral (
        (select id from ${orderEvents} where ${isEventOf(chainId, sql`unchanged.uid`)} order by written_by desc, id desc limit 1)
        union (select id from ${orderEvents} where ${isEventOf(chainId, sql`unchanged.uid`)} and ${isProgressEvent}
          order by id desc limit 1)
        union (select id from ${orderEvents} where ${isEventOf(chainId, sql`unchanged.uid`)} and label = 'cancelled')
      ) as newest
    ),
    marked as (
      update ${orderEvents} as e set archive_part = decode(${part.slice(2)}, 'hex')
      from unchanged where ${isEventOf(chainId, sql`unchanged.uid`, sql`e.`)} and e.id = any(array(select id from retained))
      returning e.order_uid
    ),
    deleted as (
      delete from ${orderEvents} as e
      where e.chain_id = ${chainId} and e.order_uid = any(array(select order_uid from marked))
        and e.id <> all(array(select id from retained))
    ),
    without_plans as (
      update ${orderQuotes} as q set metadata = '{}'
      where q.chain_id = ${chainId} and q.order_uid = any(array(select order_uid from marked)) and q.metadata <> '{}'
    )
    select count(distinct order_uid)::integer as moved from marked`)
  return rows[0]?.moved ?? 0
}
