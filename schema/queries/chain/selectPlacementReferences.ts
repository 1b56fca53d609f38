import { and, eq, inArray } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { OfferedQuote } from '#shared/orders/checkSignedFee.ts'
import type { Database } from '../../client.ts'
import { appData } from '../../tables/orders/appData.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { offeredQuoteColumns } from '../fragments/offeredQuoteColumns.ts'

/** The fields of a stored quote that price an order. */
export type PlacementQuote = OfferedQuote & Pick<typeof quotes.$inferSelect, 'sellAmount' | 'buyAmount'>

/** Stored documents and quotes that placements refer to, in one round trip. */
export const selectPlacementReferences = async (
  database: Database,
  chainId: number,
  { hashes, quoteIds }: { hashes: Hex[]; quoteIds: number[] },
): Promise<{ documents: Map<Hex, string>; quotes: Map<number, PlacementQuote> }> => {
  const [documents, found] = await database.batch([
    database.select().from(appData).where(inArray(appData.hash, hashes)),
    database
      .select({
        ...offeredQuoteColumns(quotes),
        sellAmount: quotes.sellAmount,
        buyAmount: quotes.buyAmount,
      })
      .from(quotes)
      .where(and(eq(quotes.chainId, chainId), inArray(quotes.id, quoteIds))),
  ])
  return {
    documents: new Map(documents.map(({ hash, fullAppData }) => [hash, fullAppData])),
    quotes: new Map(found.map((quote) => [quote.id, quote])),
  }
}
