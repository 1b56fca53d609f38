import { type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'

/**
 * Events of an order to be archived, and the plan of its quote: one line of JSON, and the MD5 digest by which the
 * database recognises it.
 */
export type EventsLine = {
  uid: Hex
  /** `archivedEventsSchema`, the UID first */
  line: string
  digest: string
}

/** Events of an order. */
export const isEventOf = (chainId: number, uid: SQL, prefix = sql``): SQL =>
  sql`${prefix}chain_id = ${chainId} and ${prefix}order_uid = ${uid}`

/**
 * The events of an order and the plan of its quote as text; the same for the same rows. Its UID comes first, since
 * `jsonb` sorts keys by length.
 */
export const eventsLineOf = (
  chainId: number,
  uid: SQL,
): SQL => sql`jsonb_build_object('uid', '0x' || encode(${uid}, 'hex'), 'plan', (
  select q.metadata from ${orderQuotes} as q where q.chain_id = ${chainId} and q.order_uid = ${uid}), 'events', (
  select jsonb_agg(jsonb_build_object('id', l.id, 'key', l.key, 'label', l.label, 'reason', l.reason,
    'createdAt', to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'auctionId', l.auction_id,
    'blockNumber', l.block_number, 'data', l.data, 'writtenBy', l.written_by::text) order by l.created_at, l.id)
  from ${orderEvents} as l where ${isEventOf(chainId, uid, sql`l.`)}))::text`
