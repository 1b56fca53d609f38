import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database } from '../../client.ts'
import { auctionEntries, auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { isCancellable } from '../fragments/isCancellable.ts'
import { statusColumns } from '../fragments/statusColumns.ts'
import { uidList } from '../fragments/uidList.ts'
import { insertNotifications, loggedColumns } from '../notifications/notifications.ts'

/** Facts that decide whether the orders of `uids` can be cancelled, and by which signer. */
export const selectCancellationFacts = (database: Database, chainId: number, uids: Hex[]) =>
  database
    .select({ ...statusColumns, owner: orders.owner })
    .from(orders)
    .where(and(eq(orders.chainId, chainId), inArray(orders.uid, uids)))

export type CancellationFacts = Awaited<ReturnType<typeof selectCancellationFacts>>[number]

/** A cancelled order that may still be settled. */
export type OrderInFlight = {
  uid: Hex
  auctionId: number
  /** last block in which its winner may settle; null while the newest auction has no result */
  deadlineBlock: number | null
}

/**
 * Cancels orders, with their `cancelled` events and notifications, all or none. The statement checks again on locked
 * rows whether they can be cancelled, so that events since the look-up count.
 * @param uids at least one, each once
 * @param now Unix seconds
 * @returns orders that a running auction or its winner has already included; undefined when no order was cancelled
 */
export const updateCancelledOrders = async (
  database: Database,
  chainId: number,
  uids: readonly Hex[],
  now: number,
): Promise<OrderInFlight[] | undefined> => {
  const { rows } = await database.execute<{
    uid: string
    auction_id: string | null
    deadline_block: string | null
  }>(sql`
    with requested as ${uidList(uids)},
    cancellable as (
      select ${orders.uid} from ${orders} join requested on requested.uid = ${orders.uid}
      where ${orders.chainId} = ${chainId} and ${isCancellable(now)}
      order by ${orders.uid} for update of ${orders}
    ),
    cancelled as (
      update ${orders} set cancelled_at = now(), version = ${orders.version} + 1
      from cancellable
      where ${orders.chainId} = ${chainId} and ${orders.uid} = cancellable.uid
        and (select count(*) from cancellable) = (select count(*) from requested)
      returning ${orders.uid}
    ),
    event as (
      insert into ${orderEvents} (chain_id, order_uid, key, label)
      select ${chainId}::integer, uid, 'cancelled', 'cancelled' from cancelled
      on conflict do nothing
      returning ${loggedColumns}
    ),
    notified as (${insertNotifications(sql`event`)})
    select encode(cancelled.uid, 'hex') as uid, coalesce(attempt.auction_id, competing.id) as auction_id,
      attempt.deadline_block
    from cancelled
    left join lateral (
      select ${settlementAttempts.auctionId}, ${settlementAttempts.deadlineBlock}
      from ${settlementAttempts} join ${solutionOrders}
        on ${solutionOrders.chainId} = ${settlementAttempts.chainId}
        and ${solutionOrders.auctionId} = ${settlementAttempts.auctionId}
        and ${solutionOrders.solutionUid} = ${settlementAttempts.solutionUid}
      where ${settlementAttempts.chainId} = ${chainId} and ${settlementAttempts.outcome} is null
        and ${solutionOrders.orderUid} = cancelled.uid
      order by ${settlementAttempts.deadlineBlock} desc limit 1
    ) as attempt on true
    left join lateral (
      select ${currentAuctions.id} from ${currentAuctions} join ${auctionEntries}
        on ${auctionEntries.chainId} = ${currentAuctions.chainId} and ${auctionEntries.orderUid} = cancelled.uid
        and ${auctionEntries.leftAuctionId} is null
      where ${currentAuctions.chainId} = ${chainId} and not exists (
        select 1 from ${auctions}
        where ${auctions.chainId} = ${currentAuctions.chainId} and ${auctions.id} = ${currentAuctions.id})
    ) as competing on true`)
  if (rows.length < uids.length) return undefined
  return rows.flatMap(({ uid, auction_id, deadline_block }) =>
    auction_id === null
      ? []
      : [
          {
            uid: `0x${uid}`,
            auctionId: Number(auction_id),
            deadlineBlock: deadline_block === null ? null : Number(deadline_block),
          },
        ],
  )
}
