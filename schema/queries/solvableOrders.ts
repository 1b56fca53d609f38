import { and, desc, eq, getTableColumns, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../client.ts'
import { auctionEntries } from '../tables/auctions.ts'
import { orderEvents } from '../tables/orderEvents.ts'
import { orders } from '../tables/orders.ts'
import { isUnfilled } from './isUnfilled.ts'
import { newestFirst } from './newestFirst.ts'
import type { OrderEventLabel } from './orderEvents.ts'
import { ordersInFlight } from './settlementAttempts.ts'

const { chainId: _, fullBalanceCheck: _check, version: _version, ...candidateColumns } = getTableColumns(orders)

const orderUidInFlight = sql<Hex>`in_flight.uid`.mapWith(orders.uid)

/** An order that may enter an auction, and where it stands. */
export type Candidate = {
  order: Omit<typeof orders.$inferSelect, 'chainId' | 'fullBalanceCheck' | 'version'>
  inFlight: boolean
  /** it was in the newest auction */
  entered: boolean
  newestLabel: OrderEventLabel | null
  newestReason: string | null
}

/**
 * Every order that may enter an auction, newest first: not cancelled on-chain or off-chain, not filled, begun, valid
 * long enough. With them the orders that are still listed in auctions but are none of these any more.
 * @param now Unix seconds
 * @param minValiditySeconds for how long an order has to be valid yet
 */
export const selectCandidates = async (
  database: Database,
  chainId: number,
  now: number,
  minValiditySeconds: number,
): Promise<{ candidates: Candidate[]; departed: Hex[] }> => {
  const condition = isCandidate(chainId, now, minValiditySeconds)
  const newest = database
    .select({ label: orderEvents.label, reason: orderEvents.reason })
    .from(orderEvents)
    .where(and(eq(orderEvents.chainId, orders.chainId), eq(orderEvents.orderUid, orders.uid)))
    .orderBy(desc(orderEvents.id))
    .limit(1)
    .as('newest')
  const isOpenEntry = and(eq(auctionEntries.chainId, chainId), isNull(auctionEntries.leftAuctionId))
  // the limits keep these two index look-ups, which Postgres without statistics would turn into loops over all rows
  const entry = database
    .select({ uid: auctionEntries.orderUid })
    .from(auctionEntries)
    .where(and(isOpenEntry, eq(auctionEntries.orderUid, orders.uid)))
    .limit(1)
    .as('entry')
  const listed = database
    .select({ isCandidate: sql<boolean>`${condition}`.as('is_candidate') })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, auctionEntries.orderUid)))
    .limit(1)
    .as('listed')
  const [candidates, departed, inFlight] = await database.batch([
    database
      .select({ order: candidateColumns, entered: entry.uid, newestLabel: newest.label, newestReason: newest.reason })
      .from(orders)
      .leftJoinLateral(entry, sql`true`)
      .leftJoinLateral(newest, sql`true`)
      .where(condition)
      .orderBy(newestFirst(orders.createdAt), orders.uid),
    database
      .select({ uid: auctionEntries.orderUid })
      .from(auctionEntries)
      .leftJoinLateral(listed, sql`true`)
      .where(and(isOpenEntry, sql`${listed.isCandidate} is not true`)),
    database.select({ uid: orderUidInFlight }).from(sql`${ordersInFlight(chainId)} as in_flight`),
  ])
  const flying = new Set(inFlight.map(({ uid }) => uid))
  return {
    candidates: candidates.map(({ entered, ...candidate }) => ({
      ...candidate,
      entered: entered !== null,
      inFlight: flying.has(candidate.order.uid),
    })),
    departed: departed.map(({ uid }) => uid),
  }
}

const isCandidate = (chainId: number, now: number, minValiditySeconds: number): SQL | undefined =>
  and(
    eq(orders.chainId, chainId),
    isNull(orders.cancelledAt),
    not(orders.invalidated),
    sql`${orders.validTo} >= ${now + minValiditySeconds}`,
    or(isNull(orders.validFrom), lte(orders.validFrom, now)),
    isUnfilled,
  )
