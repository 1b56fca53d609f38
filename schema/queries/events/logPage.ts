import { and, asc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import type { ConditionalEventLabel } from '../../tables/enums.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { executedFeeOf } from '../fragments/executedFee.ts'
import { type OrderState, statusColumns } from '../fragments/statusColumns.ts'
import type { StoredNotificationType } from '../notifications/notifications.ts'
import { isEventKey, readEventKey } from '../strategies/conditionalEvents.ts'
import type { ConditionalKey } from '../strategies/selectDue.ts'
import { isPart } from './logTopic.ts'
import type { OrderEventLabel } from './progressEvents.ts'

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
 * A cluster counts its transactions itself. `order_log_position` adds an offset, which is 0 until the database is
 * restored into another cluster; there `continue_order_log` sets it so that new positions follow all restored ones.
 */
export type LogPosition = { writtenBy: bigint; id: number }

type EventFields = Pick<
  typeof orderEvents.$inferSelect,
  'id' | 'orderUid' | 'reason' | 'createdAt' | 'auctionId' | 'blockNumber' | 'data'
>

/** An event of the log. */
export type LoggedEvent = LoggedOrderEvent | LoggedConditionalEvent

/** With the state of its order at the time of reading. */
export type LoggedOrderEvent = {
  position: LogPosition
  event: EventFields & { label: OrderEventLabel }
  order: OrderState &
    Pick<typeof orders.$inferSelect, 'owner' | 'onchainUser' | 'sellToken' | 'buyToken'> & {
      /** whether it is a part of a conditional order */
      isPart: boolean
    }
  /** of a `traded` event */
  trade:
    | (Pick<typeof trades.$inferSelect, 'transactionHash' | 'logIndex' | 'sellAmount' | 'buyAmount' | 'feeAmount'> & {
        /** fees in the price, sell token atoms in decimal */
        executedFee: string
      })
    | null
  /** notifications of this event */
  notifications: { id: number; type: StoredNotificationType }[]
}

/** With the state of its conditional order at the time of reading; null: a reorganisation removed it. */
export type LoggedConditionalEvent = {
  position: LogPosition
  event: EventFields & { label: ConditionalEventLabel | 'undone' }
  conditional: ConditionalKey & {
    found: Pick<typeof conditionalOrders.$inferSelect, 'handler' | 'state'> | null
  }
}

/** The newest readable position of the log. */
export const horizon = sql<string>`order_log_position(pg_snapshot_xmin(pg_current_snapshot()))`

/** Events of a network that are readable after a position. */
export const isReadable = (chainId: number, after: LogPosition | undefined): SQL | undefined =>
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
export const readPage = async (
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
      order: {
        ...statusColumns,
        owner: orders.owner,
        onchainUser: orders.onchainUser,
        sellToken: orders.sellToken,
        buyToken: orders.buyToken,
        isPart,
      },
      trade: getTableColumns(trades),
      conditional: { handler: conditionalOrders.handler, state: conditionalOrders.state },
      executedFee: sql<string>`${executedFeeOf(sql`${trades}`)}::text`,
      notifications: sql<LoggedOrderEvent['notifications']>`(
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
      conditionalOrders,
      and(
        isEventKey(sql`${orderEvents.orderUid}`),
        eq(conditionalOrders.chainId, orderEvents.chainId),
        sql`${conditionalOrders.owner} = substring(${orderEvents.orderUid} from 1 for 20)`,
        sql`${conditionalOrders.hash} = substring(${orderEvents.orderUid} from 21)`,
      ),
    )
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
    events: rows.flatMap(({ event, order, conditional, trade, executedFee, notifications }): LoggedEvent[] => {
      if (!event) return []
      const position = { writtenBy: event.writtenBy, id: event.id }
      const key = readEventKey(event.orderUid)
      if (key) {
        const logged = event as LoggedConditionalEvent['event']
        return [{ position, event: logged, conditional: { ...key, found: conditional } }]
      }
      const logged = event as LoggedOrderEvent['event']
      return order ? [{ position, event: logged, order, trade: trade && { ...trade, executedFee }, notifications }] : []
    }),
  }
}

/** A part of the log. */
export type ReadPage = Awaited<ReturnType<typeof readPage>>

/** The position before all events of a transaction. */
export const toHorizon = (transaction: string | undefined): LogPosition => ({
  writtenBy: BigInt(transaction ?? 0),
  id: 0,
})
