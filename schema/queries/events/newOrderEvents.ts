import { and, eq, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isEventKey } from '../strategies/conditionalEvents.ts'
import { horizon, isReadable, type LoggedEvent, type LogPosition, readPage, toHorizon } from './logPage.ts'

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
  // an event of a deleted order must not make a page look like the last one; in one subquery, which has to run for each row
  const isThere = sql`exists (select from ${orders} where ${and(
    eq(orders.chainId, orderEvents.chainId),
    eq(orders.uid, orderEvents.orderUid),
  )} union all select where ${isEventKey(sql`${orderEvents.orderUid}`)})`
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

export const selectIsOrder = async (database: Database, chainId: number, uid: Hex): Promise<boolean> => {
  const rows = await database
    .select({ uid: orders.uid })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
  return rows.length > 0
}
