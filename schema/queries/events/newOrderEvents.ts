import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { type OrderState, statusColumns } from '../fragments/statusColumns.ts'
import type { NotificationType } from '../notifications/notifications.ts'

/**
 * A place in the log. Events are read in the order of the transactions that wrote them, and of their ids within one; `id` 0 is
 * the place before everything that `writtenBy` writes.
 *
 * Ids alone are no order to read in: they are drawn before a transaction commits, so a lower one may appear after a higher one
 * was read, also when the lower one's transaction has the higher number. A transaction's number does not have this fault:
 * once all transactions below a number are over (`pg_snapshot_xmin` of the snapshot that a statement reads by), what they wrote
 * is there, and nothing will ever be written below that number again. So a reader that reads only below it, in the order of
 * (transaction, id), and goes on behind the last place it was at, misses nothing and reads nothing twice, however long a
 * transaction is held open. What such a transaction costs is time: nothing that began after it is read before it is over. A row
 * draws its id before its transaction has a number, if it is the first that this one writes; no reader relies on either
 * being drawn first.
 */
export type LogPosition = { writtenBy: bigint; id: number }

/** An event of the log, and what its order is like when it is read. */
export type LoggedEvent = {
  position: LogPosition
  event: Pick<
    typeof orderEvents.$inferSelect,
    'id' | 'orderUid' | 'label' | 'reason' | 'createdAt' | 'auctionId' | 'blockNumber' | 'data'
  >
  order: OrderState & Pick<typeof orders.$inferSelect, 'owner' | 'onchainUser'>
  /** of a `traded` event */
  trade: Pick<
    typeof trades.$inferSelect,
    'transactionHash' | 'logIndex' | 'sellAmount' | 'buyAmount' | 'feeAmount'
  > | null
  /** what accounts are told of this event */
  notifications: { id: number; type: NotificationType }[]
}

/** Whose events: of one order, or of the orders that an account owns and those that a contract placed for it. */
export type LogTopic = { orderUid: Hex } | { account: Address }

/** Up to where the log can be read now. */
const horizon = sql<string>`pg_snapshot_xmin(pg_current_snapshot())`

const isReadable = (chainId: number, after: LogPosition | undefined): SQL | undefined =>
  and(
    eq(orderEvents.chainId, chainId),
    sql`${orderEvents.writtenBy} < ${horizon}`,
    after &&
      sql`(${orderEvents.writtenBy}, ${orderEvents.id}) > (${after.writtenBy.toString()}::xid8, ${after.id}::bigint)`,
  )

/** A part of the log, and up to where it can be read; the order and the rest of an event are looked up by its id. */
const readPage = async (database: Pick<Database, 'select'>, ids: SQL, isWhole: SQL<boolean> = sql`true`) => {
  const rows = await database
    .select({
      horizon: sql<string>`${horizon}::text`,
      isWhole,
      event: getTableColumns(orderEvents),
      order: { ...statusColumns, owner: orders.owner, onchainUser: orders.onchainUser },
      trade: getTableColumns(trades),
      notifications: sql<LoggedEvent['notifications']>`(
        select coalesce(json_agg(json_build_object('id', ${notifications.id}, 'type', ${notifications.type})
          order by ${notifications.id}), '[]')
        from ${notifications}
        where ${notifications.eventId} = ${orderEvents.id} and ${notifications.retractedAt} is null)`,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(orderEvents, sql`${orderEvents.id} in (${ids})`)
    .leftJoin(orders, and(eq(orders.chainId, orderEvents.chainId), eq(orders.uid, orderEvents.orderUid)))
    .leftJoin(
      trades,
      and(
        eq(trades.chainId, orderEvents.chainId),
        eq(trades.orderUid, orderEvents.orderUid),
        eq(trades.blockNumber, orderEvents.blockNumber),
        sql`${orderEvents.key} = 'traded:' || ${trades.blockNumber} || ':' || ${trades.logIndex}`,
      ),
    )
    .orderBy(asc(orderEvents.writtenBy), asc(orderEvents.id))
  return {
    horizon: toHorizon(rows[0]?.horizon),
    isWhole: rows[0]?.isWhole ?? true,
    events: rows.flatMap(({ event, order, trade, notifications }): LoggedEvent[] =>
      event && order
        ? [{ position: { writtenBy: event.writtenBy, id: event.id }, event, order, trade, notifications }]
        : [],
    ),
  }
}

type ReadPage = Awaited<ReturnType<typeof readPage>>

const toHorizon = (transaction: string | undefined): LogPosition => ({ writtenBy: BigInt(transaction ?? 0), id: 0 })

/**
 * Events of a network behind a position, the first `limit` of them.
 * @returns them, and the position to go on from
 */
export const selectNewOrderEvents = async (
  database: Database,
  chainId: number,
  after: LogPosition,
  limit: number,
): Promise<{ events: LoggedEvent[]; position: LogPosition; isLast: boolean }> => {
  // an order that is gone must not make a page look like the last one
  const isThere = sql`exists (select from ${orders} where ${and(
    eq(orders.chainId, orderEvents.chainId),
    eq(orders.uid, orderEvents.orderUid),
  )})`
  const read = await readPage(
    database,
    sql`select ${orderEvents.id} from ${orderEvents} where ${and(isReadable(chainId, after), isThere)}
      order by ${orderEvents.writtenBy}, ${orderEvents.id} limit ${limit + 1}`,
  )
  const events = read.events.slice(0, limit)
  const isLast = read.events.length <= limit
  return { events, position: (isLast ? undefined : events.at(-1)?.position) ?? read.horizon, isLast }
}

/** The position behind everything that can be read now: what is written later comes after it. */
export const selectLogHorizon = async (database: Database): Promise<LogPosition> => {
  const { rows } = await database.execute<{ horizon: string }>(sql`select ${horizon}::text as horizon`)
  return toHorizon(rows[0]?.horizon)
}

export type MissedEvents = {
  /** in their order; not complete, they are the newest */
  events: LoggedEvent[]
  isComplete: boolean
  /** behind all of them */
  horizon: LogPosition
}

/** How much is read at most for one client that comes back. */
export type ReplayLimits = {
  /** events of its topic */
  events: number
  /** events of the network that are looked through for those of an account */
  scanned: number
}

/**
 * Events of one topic behind a position that a client has read up to, from the beginning of the log without one.
 * An account whose position is too far back gets none.
 */
export const selectMissedOrderEvents = async (
  database: Database,
  chainId: number,
  topic: LogTopic,
  after: LogPosition | undefined,
  limits: ReplayLimits,
): Promise<MissedEvents> => {
  if ('orderUid' in topic)
    return toMissed(await readPage(database, selectOfOrder(chainId, topic.orderUid, after, limits)), limits)
  const scanned = database.$with('scanned').as(
    database
      .select({ id: orderEvents.id, writtenBy: orderEvents.writtenBy, orderUid: orderEvents.orderUid })
      .from(orderEvents)
      .where(isReadable(chainId, after))
      .orderBy(asc(orderEvents.writtenBy), asc(orderEvents.id))
      .limit(limits.scanned + 1),
  )
  const { account } = topic
  const ids = sql`select scanned.id from scanned
    join ${orders} on ${eq(orders.chainId, chainId)} and ${orders.uid} = scanned.order_uid
      and (${eq(orders.owner, account)} or ${eq(orders.onchainUser, account)})
    order by scanned.written_by desc, scanned.id desc limit ${limits.events + 1}`
  const isWhole = sql<boolean>`(select count(*) <= ${limits.scanned} from scanned)`
  const read = await readPage(database.with(scanned), ids, isWhole)
  return read.isWhole ? toMissed(read, limits) : { events: [], isComplete: false, horizon: read.horizon }
}

const selectOfOrder = (chainId: number, uid: Hex, after: LogPosition | undefined, limits: ReplayLimits): SQL =>
  sql`select ${orderEvents.id} from ${orderEvents}
    where ${and(isReadable(chainId, after), eq(orderEvents.orderUid, uid))}
    order by ${orderEvents.writtenBy} desc, ${orderEvents.id} desc limit ${limits.events + 1}`

const toMissed = ({ events, horizon }: ReadPage, limits: ReplayLimits): MissedEvents => ({
  events: events.slice(-limits.events),
  isComplete: events.length <= limits.events,
  horizon,
})

export const selectIsOrder = async (database: Database, chainId: number, uid: Hex): Promise<boolean> => {
  const rows = await database
    .select({ uid: orders.uid })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
  return rows.length > 0
}
