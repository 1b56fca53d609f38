import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isProgressEvent, type ProgressLabel } from '../events/progressEvents.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { groupFailures } from '../settlements/groupFailures.ts'
import { selectSettlementFailures } from '../settlements/selectSettlementFailures.ts'
import { ordersInFlight } from '../settlements/settlementAttempts.ts'
import { type BookLimit, openBook } from './openBook.ts'

const orderUidInFlight = sql<Hex>`in_flight.uid`.mapWith(orders.uid)
const sellInFlight = sql<bigint>`in_flight.sell`.mapWith(BigInt)

/** A row as a JSON array: the client decodes columns one by one, which for thousands of rows is most of reading a book. */
type Row = [
  uid: Hex,
  version: number,
  entered: boolean,
  inTurn: boolean | null,
  isFull: boolean,
  newestLabel: ProgressLabel | null,
  newestReason: string | null,
]

const toStanding = ([uid, version, entered, inTurn, isFull, newestLabel, newestReason]: Row) => ({
  ...{ uid, version, entered, inTurn, isFull, newestLabel, newestReason },
})

/**
 * One round trip: the state of the orders of a cut, those that left, those in flight, and the failures of settlements.
 */
export const selectStandings = async (
  database: Database,
  chainId: number,
  condition: SQL | undefined,
  limit: BookLimit,
) => {
  const newest = database
    .select({ label: sql<ProgressLabel>`${orderEvents.label}`.as('label'), reason: orderEvents.reason })
    .from(orderEvents)
    .where(and(eq(orderEvents.chainId, orders.chainId), eq(orderEvents.orderUid, orders.uid), isProgressEvent))
    .orderBy(desc(orderEvents.id))
    .limit(1)
    .as('newest')
  const isOpenEntry = and(eq(auctionEntries.chainId, chainId), isNull(auctionEntries.leftAuctionId))
  // the limits force index look-ups; without statistics Postgres would loop over all rows
  const listed = database
    .select({ isCandidate: sql<boolean>`${condition}`.as('is_candidate') })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, auctionEntries.orderUid)))
    .limit(1)
    .as('listed')
  const [book, departed, inFlight, failures] = await database.batch([
    database.select({ rows: sql<Row[]>`coalesce(json_agg(standing), '[]')` }).from(sql`(
      select json_build_array('0x' || encode(${orders.uid}, 'hex'), ${orders.version}, book.is_listed,
        book.in_turn, book.is_full, newest.label, newest.reason) as standing
      from (${openBook(chainId, condition, limit)}) as book
      join ${orders} on ${and(eq(orders.chainId, chainId), sql`${orders.uid} = book.uid`)}
      left join lateral ${newest} on true
      order by ${newestFirst(orders.createdAt)}, ${orders.uid}) as standings`),
    database
      .select({ uid: auctionEntries.orderUid })
      .from(auctionEntries)
      .leftJoinLateral(listed, sql`true`)
      .where(and(isOpenEntry, sql`${listed.isCandidate} is not true`)),
    database.select({ uid: orderUidInFlight, sell: sellInFlight }).from(sql`${ordersInFlight(chainId)} as in_flight`),
    // last: an order that is no longer in flight has its failure here
    selectSettlementFailures(database, chainId),
  ])
  return {
    book: (book[0]?.rows ?? []).map(toStanding),
    departed: departed.map(({ uid }) => uid),
    inFlight: new Map(inFlight.map(({ uid, sell }) => [uid, sell])),
    findFailures: groupFailures(failures),
  }
}
