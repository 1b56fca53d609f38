import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { Database } from '../../client.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { type OrderState, statusColumns } from '../fragments/statusColumns.ts'
import type { StoredNotificationType } from '../notifications/notifications.ts'

/**
 * A position in the log. Events are read in the order of the transactions that wrote them, then by id; `id` 0 is the
 * position before all events of `writtenBy`.
 *
 * Ids alone are not a safe order: an id is reserved before its transaction commits, so a lower id may appear after a
 * higher one was read, even when the lower id's transaction has the higher number. Transaction numbers are safe: once
 * all transactions below a number have ended (`pg_snapshot_xmin` of the statement's snapshot), their rows are visible,
 * and no row will be written below that number again. A reader that reads only below it, in the order (transaction,
 * id), and continues from its last position therefore misses nothing and reads nothing twice, even beside long
 * transactions. The price is delay: rows of later transactions become readable only after the oldest open transaction
 * ends. A row may reserve its id before or after its transaction gets a number; readers rely on neither order.
 *
 * A cluster counts its transactions itself. `order_log_position` adds an offset, which is 0 until the database is restored
 * into another cluster; there `continue_order_log` sets it so that new positions follow all restored ones.
 */
export type LogPosition = { writtenBy: bigint; id: number }

/** An event of the log with the state of its order at the time of reading. */
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
  /** notifications of this event */
  notifications: { id: number; type: StoredNotificationType }[]
}

/** Selects events of one order, or of the orders that an account owns or had placed by a contract. */
export type LogTopic = { orderUid: Hex } | { account: Address }

/** The newest readable position of the log. */
const horizon = sql<string>`order_log_position(pg_snapshot_xmin(pg_current_snapshot()))`

const isReadable = (chainId: number, after: LogPosition | undefined): SQL | undefined =>
  and(
    eq(orderEvents.chainId, chainId),
    sql`${orderEvents.writtenBy} < ${horizon}`,
    after &&
      sql`(${orderEvents.writtenBy}, ${orderEvents.id}) > (${after.writtenBy.toString()}::xid8, ${after.id}::bigint)`,
  )

/**
 * A part of the log and the position up to which it is readable; the order and the remaining fields of an event are
 * looked up by id.
 */
const readPage = async (
  database: Pick<Database, 'select'>,
  chainId: number,
  ids: SQL,
  isWhole: SQL<boolean> = sql`true`,
) => {
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
        where ${notifications.chainId} = ${chainId} and ${notifications.eventId} = ${orderEvents.id}
          and ${notifications.retractedAt} is null)`,
    })
    .from(sql`(select 1) as one`)
    .leftJoin(orderEvents, and(eq(orderEvents.chainId, chainId), sql`${orderEvents.id} in (${ids})`))
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
    /** earlier events of one of these orders are in the archive */
    isCut: rows.some(({ event }) => event?.archivePart),
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
 * The first `limit` events of a network after a position.
 * @returns the events, and the position to continue from
 */
export const selectNewOrderEvents = async (
  database: Database,
  chainId: number,
  after: LogPosition,
  limit: number,
): Promise<{ events: LoggedEvent[]; position: LogPosition; isLast: boolean }> => {
  // an event of a deleted order must not make a page look like the last one
  const isThere = sql`exists (select from ${orders} where ${and(
    eq(orders.chainId, orderEvents.chainId),
    eq(orders.uid, orderEvents.orderUid),
  )})`
  const read = await readPage(
    database,
    chainId,
    sql`select ${orderEvents.id} from ${orderEvents} where ${and(isReadable(chainId, after), isThere)}
      order by ${orderEvents.writtenBy}, ${orderEvents.id} limit ${limit + 1}`,
  )
  const events = read.events.slice(0, limit)
  const isLast = read.events.length <= limit
  return { events, position: (isLast ? undefined : events.at(-1)?.position) ?? read.horizon, isLast }
}

/** The newest readable position: later events come after it. */
export const selectLogHorizon = async (database: Database): Promise<LogPosition> => {
  const { rows } = await database.execute<{ horizon: string }>(sql`select ${horizon}::text as horizon`)
  return toHorizon(rows[0]?.horizon)
}

export type MissedEvents = {
  /** in order; incomplete lists hold the newest events, or lack those that are in the archive */
  events: LoggedEvent[]
  isComplete: boolean
  /** position after all of them */
  horizon: LogPosition
}

/** Upper bounds of one replay for a reconnecting client. */
export type ReplayLimits = {
  /** events of its topic */
  events: number
  /** events of the network that are searched for those of an account */
  scanned: number
}

/**
 * Events of one topic after a client's last position, or from the beginning of the log without one. An account whose
 * position is too far back gets none.
 */
export const selectMissedOrderEvents = async (
  database: Database,
  chainId: number,
  topic: LogTopic,
  after: LogPosition | undefined,
  limits: ReplayLimits,
): Promise<MissedEvents> => {
  if ('orderUid' in topic)
    return toMissed(await readPage(database, chainId, selectOfOrder(chainId, topic.orderUid, after, limits)), limits)
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
  const read = await readPage(database.with(scanned), chainId, ids, isWhole)
  return read.isWhole ? toMissed(read, limits) : { events: [], isComplete: false, horizon: read.horizon }
}

const selectOfOrder = (chainId: number, uid: Hex, after: LogPosition | undefined, limits: ReplayLimits): SQL =>
  sql`select ${orderEvents.id} from ${orderEvents}
    where ${and(isReadable(chainId, after), eq(orderEvents.orderUid, uid))}
    order by ${orderEvents.writtenBy} desc, ${orderEvents.id} desc limit ${limits.events + 1}`

const toMissed = ({ events, isCut, horizon }: ReadPage, limits: ReplayLimits): MissedEvents => ({
  events: events.slice(-limits.events),
  isComplete: events.length <= limits.events && !isCut,
  horizon,
})

export const selectIsOrder = async (database: Database, chainId: number, uid: Hex): Promise<boolean> => {
  const rows = await database
    .select({ uid: orders.uid })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
  return rows.length > 0
}
