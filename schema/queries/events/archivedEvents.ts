import { type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { findFinality } from '#shared/chain/finality.ts'
import type { Database } from '../../client.ts'
import { blocks } from '../../tables/chain/blocks.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders, stateOf } from '../../tables/orders/orders.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { lastValidSecond } from '../fragments/lastValidSecond.ts'
import { type EventsLine, eventsLineOf, isEventOf } from './eventsLine.ts'

/** Where the next part continues: creation of the last scanned order, microseconds as text, and id of its event. */
export type EventsCursor = { createdAt: string; id: number }

/** Bounds of one archive object: scanned orders, archived orders, and bytes of its lines beyond the first one. */
export type EventsLimits = { scanned: number; orders: number; bytes: number }

/** Orders with more events are not archived: its line would be too large for one statement. */
const maxEvents = 1_000

/**
 * Events of the oldest orders, in the order of their creation, that can be archived: the order has ended, and its
 * newest event is from before a time and final. Orders that must wait are skipped: within `scanned`, many of them cost
 * one statement.
 * @returns `next`: where the next part begins; null at the end
 */
export const selectArchivableEvents = async (
  database: Database,
  chainId: number,
  createdBefore: Date,
  after: EventsCursor | null,
  limits: EventsLimits,
): Promise<{ lines: EventsLine[]; next: EventsCursor | null }> => {
  // a Worker's clock that is ahead would find open orders expired
  const before = sql`least(${createdBefore.toISOString()}::timestamptz, now())`
  const { rows } = await database.execute<{
    id: string
    createdAt: string
    uid: string
    line: string | null
    digest: string
    found: number
  }>(sql`
    with scanned as (
      select e.id, e.created_at, e.order_uid from ${orderEvents} as e
      where e.chain_id = ${chainId} and e.label = 'created' and e.archive_part is null and e.created_at < ${before}
        ${after ? sql`and (e.created_at, e.id) > (${after.createdAt}::timestamptz, ${after.id}::bigint)` : sql``}
      order by e.created_at, e.id limit ${limits.scanned}
    ),
    found as materialized (
      select scanned.* from scanned cross join lateral (
        select from ${orders}
        where ${orders.chainId} = ${chainId} and ${orders.uid} = scanned.order_uid
          and (${stateOf(orders)} in ('fulfilled', 'cancelled') or ${lastValidSecond} < extract(epoch from ${before}))
          and ${areSettled(chainId, sql`scanned.order_uid`, before)}
          and ${isFirstCreation(chainId)} offset 0
      ) as ended limit ${limits.orders}
    ),
    written as (
      select found.*, ${eventsLineOf(chainId, sql`found.order_uid`)} as line from found offset 0
    ),
    sized as (
      select *, sum(octet_length(line)) over (order by created_at, id) as bytes from written
    ),
    part as (
      select id, created_at, order_uid, line from sized where bytes <= ${limits.bytes} or bytes = octet_length(line)
      union all (
        select id, created_at, order_uid, null from scanned where (select count(*) from found) < ${limits.orders}
        order by created_at desc, id desc limit 1)
    )
    select id, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAt",
      '0x' || encode(order_uid, 'hex') as uid, line, md5(line) as digest, (select count(*)::integer from found) as found
    from part order by created_at, id, line nulls last`)
  const written = rows.filter(({ line }) => line !== null)
  // the last one that was looked at, unless some behind it wait for the next part
  const last = written.length < (rows[0]?.found ?? 0) ? written.at(-1) : rows.at(-1)
  return {
    lines: written.map(({ uid, line, digest }) => ({ uid: uid as Hex, line: line ?? '', digest })),
    next: last ? { createdAt: last.createdAt, id: Number(last.id) } : null,
  }
}

/**
 * All events of the order are old, final and in the database, and their number is bounded. Those of the newest blocks
 * stay: the indexer writes them again.
 */
const areSettled = (chainId: number, uid: SQL, before: SQL): SQL => {
  const newest = Math.max(findFinality(chainId).finalBlocks, storedBlocks)
  return sql`not exists (
    select 1 from ${orderEvents} as later where ${isEventOf(chainId, uid, sql`later.`)} and (later.created_at >= ${before}
      or later.archive_part is not null
      or later.block_number >= (select coalesce(max(number), 0) - ${newest}::bigint from ${blocks}
        where chain_id = ${chainId})))
  and (select count(*) from (
    select 1 from ${orderEvents} as counted where ${isEventOf(chainId, uid, sql`counted.`)} limit ${maxEvents + 1}) as capped
  ) <= ${maxEvents}`
}

/** An order that was taken over, or placed on-chain after its submission, has been created twice; the first counts. */
const isFirstCreation = (chainId: number): SQL => sql`not exists (
  select 1 from ${orderEvents} as earlier where ${isEventOf(chainId, sql`scanned.order_uid`, sql`earlier.`)}
    and earlier.label = 'created' and (earlier.created_at, earlier.id) < (scanned.created_at, scanned.id))`
