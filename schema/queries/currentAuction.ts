import { eq } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { currentAuctions } from '../tables/auctions.ts'

/** The auction cut last: orders in the shape of the driver API, prices in wei per 10¹⁸ atoms. */
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
  const [row] = await database.select().from(currentAuctions).where(eq(currentAuctions.chainId, chainId))
  if (!row) return undefined
  const body = row.body as Pick<CurrentAuction, 'orders' | 'prices'>
  return { id: row.id, block: row.block, orders: body.orders, prices: body.prices }
}
