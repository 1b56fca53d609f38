import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { auctionEntries, currentAuctions } from '../../tables/auctions/auctions.ts'

/** The newest auction: orders in the shape of the driver API, newest first; prices in wei per 10¹⁸ atoms. */
export type CurrentAuction = {
  id: number
  block: number
  orders: Record<string, unknown>[]
  prices: Record<string, string>
}

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
