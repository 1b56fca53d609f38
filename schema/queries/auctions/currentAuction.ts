import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctionEntries, currentAuctions } from '../../tables/auctions/auctions.ts'
import type { orders } from '../../tables/orders/orders.ts'

/** The newest auction: orders in the shape of the driver API, newest first; prices in wei per 10¹⁸ atoms. */
export type CurrentAuction = {
  id: number
  block: number
  orders: Record<string, unknown>[]
  prices: Record<string, string>
}

/** Price of an order's token in the newest auction, as text. */
export const currentPrice = (token: typeof orders.sellToken | typeof orders.buyToken) =>
  sql<string | null>`${currentAuctions.prices} ->> ('0x' || encode(${token}, 'hex'))`

export const selectCurrentAuction = async (
  database: Database,
  chainId: number,
): Promise<CurrentAuction | undefined> => {
  const { body, orderUid, leftAuctionId } = auctionEntries
  const bodies = database
    .select({
      orders: sql`json_agg(${body} order by (${body}->>'created')::bigint desc, ${orderUid})`.as('orders'),
    })
    .from(auctionEntries)
    .where(and(eq(auctionEntries.chainId, chainId), isNull(leftAuctionId), isNotNull(body)))
    .as('bodies')
  const [row] = await database
    .select({
      id: currentAuctions.id,
      block: currentAuctions.block,
      prices: currentAuctions.prices,
      orders: sql<CurrentAuction['orders'] | null>`${bodies.orders}`,
    })
    .from(currentAuctions)
    .leftJoinLateral(bodies, sql`true`)
    .where(eq(currentAuctions.chainId, chainId))
  return row && { ...row, orders: row.orders ?? [] }
}
