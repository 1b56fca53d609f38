import { sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctionEntries } from '../../tables/auctions/auctions.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { notifications } from '../../tables/notifications/notifications.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { isUnsigned, orders, stateOf } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'

/** Days after which an order that was never signed is deleted, with all that was stored for it. */
export const unsignedDays = 30

/**
 * Deletes orders that came over the API without a signature and were never pre-signed, oldest first: any stranger may
 * have sent them, valid until 2106, or cancelled at once. A pre-signature that is indexed later waits until the order is
 * sent again.
 * @param limit maximum number of deleted orders
 * @returns how many were deleted
 */
export const deleteUnsignedOrders = async (database: Database, chainId: number, limit: number): Promise<number> => {
  const isOfDeleted = (prefix: string) =>
    sql`${sql.raw(prefix)}.chain_id = ${chainId} and ${sql.raw(prefix)}.order_uid in (select uid from deleted)`
  const { rows } = await database.execute<{ deleted: number }>(sql`
    with old as (
      select ${orders.uid} as uid from ${orders}
      where ${orders.chainId} = ${chainId} and (${stateOf(orders)}) in ('pending', 'cancelled') and ${isUnsigned(orders)}
        and ${orders.executedBuyAmount} = 0
        and ${orders.createdAt} < now() - ${sql.raw(`interval '${unsignedDays} days'`)}
        and not exists (select from ${presignatures}
          where ${presignatures.chainId} = ${chainId} and ${presignatures.orderUid} = ${orders.uid})
      order by ${orders.createdAt} limit ${limit}
    ),
    deleted as (
      delete from ${orders} where ${orders.chainId} = ${chainId} and ${orders.uid} in (select uid from old) and ${isUnsigned(orders)}
      returning uid
    ),
    events as (delete from ${orderEvents} as e where ${isOfDeleted('e')}),
    quotes as (delete from ${orderQuotes} as q where ${isOfDeleted('q')}),
    entries as (delete from ${auctionEntries} as a where ${isOfDeleted('a')}),
    notified as (delete from ${notifications} as n where ${isOfDeleted('n')})
    select count(*)::integer as deleted from deleted`)
  return rows[0]?.deleted ?? 0
}
