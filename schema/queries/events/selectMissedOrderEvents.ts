import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isReadable, type LoggedEvent, type LogPosition, type ReadPage, readPage } from './logPage.ts'
import { isOfTopic, type LogTopic } from './logTopic.ts'

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
  /** events of the network that are searched for those of any other topic than an order */
  scanned: number
}

/**
 * Events of one topic after a client's last position, or from the beginning of the log without one. A topic other
 * than an order whose position is too far back gets none.
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
      .select({
        id: orderEvents.id,
        writtenBy: orderEvents.writtenBy,
        orderUid: orderEvents.orderUid,
        label: orderEvents.label,
        auctionId: orderEvents.auctionId,
      })
      .from(orderEvents)
      .where(isReadable(chainId, after))
      .orderBy(asc(orderEvents.writtenBy), asc(orderEvents.id))
      .limit(limits.scanned + 1),
  )
  const ids = sql`select scanned.id from scanned
    left join ${orders} on ${eq(orders.chainId, chainId)} and ${orders.uid} = scanned.order_uid
    where ${isOfTopic(topic, scannedEvent)}
    order by scanned.written_by desc, scanned.id desc limit ${limits.events + 1}`
  const isWhole = sql<boolean>`(select count(*) <= ${limits.scanned} from scanned)`
  const read = await readPage(database.with(scanned), chainId, ids, isWhole)
  return read.isWhole ? toMissed(read, limits) : { events: [], isComplete: false, horizon: read.horizon }
}

/** Columns of the scanned events. */
export const scannedEvent = {
  orderUid: sql`scanned.order_uid`,
  label: sql`scanned.label`,
  auctionId: sql`scanned.auction_id`,
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
