import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { currentAuctions } from '../../tables/auctions/auctions.ts'

/** The newest auction of a network; `prices`: token → wei per 10¹⁸ atoms, null when they are those that are known. */
export type AuctionPrices = { id: number; block: number; prices: Record<string, string> | null }

/** @param known id of an auction whose prices need not be read again */
export const selectAuctionPrices = async (
  database: Database,
  chainId: number,
  known: number | undefined,
): Promise<AuctionPrices | undefined> => {
  const { id, block, prices } = currentAuctions
  const [found] = await database
    .select({
      id,
      block,
      prices: sql<
        AuctionPrices['prices']
      >`case when ${id} is distinct from ${known ?? null}::bigint then ${prices} end`,
    })
    .from(currentAuctions)
    .where(eq(currentAuctions.chainId, chainId))
  return found
}
