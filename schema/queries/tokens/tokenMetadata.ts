import { and, desc, eq, isNotNull, min, type SQL, sql } from 'drizzle-orm'
import type { Address } from 'viem'
import type { Database } from '../../client.ts'
import { auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { settlementOfTrade } from '../fragments/joins.ts'

export type TokenMetadata = {
  /** earliest block with a trade that sold or bought the token; null when never traded */
  firstTradeBlock: number | null
  /** wei per 10¹⁸ atoms; null without a known auction price */
  nativePrice: bigint | null
}

type TradedToken = typeof trades.sellToken | typeof trades.buyToken

/**
 * First trade of a token and its price in the newest auction or, when that has none, in the auction that settled its
 * newest trade. Prices of auctions in between are not searched: their documents have no index.
 */
export const selectTokenMetadata = async (
  database: Database,
  chainId: number,
  token: Address,
): Promise<TokenMetadata> => {
  const priceIn = (prices: typeof auctions.prices | typeof currentAuctions.prices) =>
    sql<string>`${prices} ->> ${token}`
  const tradesOn = (side: TradedToken) => and(eq(trades.chainId, chainId), eq(side, token))
  const firstTrade = (side: TradedToken) =>
    database
      .select({ block: min(trades.blockNumber) })
      .from(trades)
      .where(tradesOn(side))
  const newestPrice = (side: TradedToken) =>
    database
      .select({ block: trades.blockNumber, price: priceIn(auctions.prices).as('price') })
      .from(trades)
      .innerJoin(settlements, settlementOfTrade)
      .innerJoin(auctions, and(eq(auctions.chainId, trades.chainId), eq(auctions.id, settlements.auctionId)))
      .where(and(tradesOn(side), isNotNull(priceIn(auctions.prices))))
      .orderBy(desc(trades.blockNumber))
      .limit(1)
  const currentPrice: SQL = sql`(${database
    .select({ price: priceIn(currentAuctions.prices) })
    .from(currentAuctions)
    .where(eq(currentAuctions.chainId, chainId))})`
  const tradedAt = sql`(
    select price from ((${newestPrice(trades.sellToken)}) union all (${newestPrice(trades.buyToken)})) newest
    order by block_number desc limit 1
  )`
  const [row] = await database
    .select({
      firstTradeBlock: sql<string | null>`least((${firstTrade(trades.sellToken)}), (${firstTrade(trades.buyToken)}))`,
      nativePrice: sql<string | null>`coalesce(${currentPrice}, ${tradedAt})`,
    })
    .from(sql`(select) once`)
  return {
    firstTradeBlock: row?.firstTradeBlock == null ? null : Number(row.firstTradeBlock),
    nativePrice: row?.nativePrice == null ? null : BigInt(row.nativePrice),
  }
}
