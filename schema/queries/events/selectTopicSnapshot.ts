import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { conditionalOrders } from '../../tables/chain/conditionalOrders.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { isListedOpen } from '../fragments/isListedOpen.ts'
import { toEventKey } from '../strategies/conditionalEvents.ts'
import { isReadable, readPage } from './logPage.ts'
import { findConditionalOwner, isOfTopic, isOrderOfTopic, type OrdersTopic, type SearchedTopic } from './logTopic.ts'
import { type MissedEvents, type ReplayLimits, scannedEvent } from './selectMissedOrderEvents.ts'

/**
 * The state of a topic: the latest event of each open order of an account, its conditional orders or a pair, and of each open
 * conditional order, the newest ones if there are too many; the newest trades or events of auctions among the last `scanned` of the log.
 */
export const selectTopicSnapshot = async (
  database: Database,
  chainId: number,
  topic: SearchedTopic,
  limits: ReplayLimits,
): Promise<MissedEvents> => {
  const isOfOrders = 'account' in topic || 'conditional' in topic || 'pair' in topic
  const ids = isOfOrders ? selectLatest(chainId, topic, limits) : selectNewest(chainId, topic, limits)
  const { events, horizon } = await readPage(database, chainId, ids)
  return { events: events.slice(-limits.events), isComplete: isOfOrders && events.length <= limits.events, horizon }
}

const selectLatest = (chainId: number, topic: OrdersTopic, limits: ReplayLimits): SQL =>
  sql`select latest.id from (
      (select ${orders.uid} from ${orders}
      where ${and(eq(orders.chainId, chainId), isListedOpen, isOrderOfTopic(topic))}
      order by ${desc(orders.createdAt)} limit ${limits.events + 1})
      ${selectOpenConditional(chainId, findConditionalOwner(topic), limits)}
    ) as open cross join lateral (
      select ${orderEvents.id} from ${orderEvents}
      where ${and(isReadable(chainId, undefined), sql`${orderEvents.orderUid} = open.uid`)}
      order by ${orderEvents.writtenBy} desc, ${orderEvents.id} desc limit 1
    ) as latest`

const selectOpenConditional = (chainId: number, owner: Address | undefined, limits: ReplayLimits): SQL => {
  const { hash, state, blockNumber, logIndex } = conditionalOrders
  if (!owner) return sql``
  return sql`union all (
      select ${toEventKey(sql`${conditionalOrders.owner}`, sql`${hash}`)} from ${conditionalOrders}
      where ${and(eq(conditionalOrders.chainId, chainId), eq(conditionalOrders.owner, owner), eq(state, 'open'))}
      order by ${desc(blockNumber)}, ${desc(logIndex)} limit ${limits.events + 1})`
}

const selectNewest = (chainId: number, topic: SearchedTopic, limits: ReplayLimits): SQL =>
  sql`select scanned.id from (
      select ${orderEvents.id}, ${orderEvents.writtenBy}, ${orderEvents.orderUid}, ${orderEvents.label}, ${orderEvents.auctionId}
      from ${orderEvents} where ${isReadable(chainId, undefined)}
      order by ${orderEvents.writtenBy} desc, ${orderEvents.id} desc limit ${limits.scanned}
    ) as scanned left join ${orders} on ${eq(orders.chainId, chainId)} and ${orders.uid} = scanned.order_uid
    where ${isOfTopic(topic, scannedEvent)}
    order by scanned.written_by desc, scanned.id desc limit ${limits.events}`
