import { and, count, desc, eq, getTableColumns, gte, isNotNull, isNull, not, or, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { appData } from '../tables/appData.ts'
import { orders } from '../tables/orders.ts'
import { quotes } from '../tables/quotes.ts'
import { isUnfilled } from './isUnfilled.ts'
import { lastValidSecond } from './lastValidSecond.ts'
import { type OrderState, statusColumns } from './statusColumns.ts'

/** An order that somebody wants to place. */
export type PlacementQuery = Pick<
  typeof orders.$inferSelect,
  'uid' | 'owner' | 'sellToken' | 'buyToken' | 'kind' | 'sellAmount' | 'buyAmount' | 'appDataHash' | 'quoteId'
>

/** What the database knows about it. */
export type PlacementFacts = {
  /** the order itself, when it is there already */
  duplicate: OrderState | null
  /** the quote that it was priced by */
  quote: typeof quotes.$inferSelect | null
  /** the document behind its app data hash */
  fullAppData: string | null
  /** open orders of its owner whose limit was worse than their quote, expired and filled ones left out */
  openLimitOrders: number
}

/**
 * Looks up all that placing an order needs in one round trip.
 * @param now Unix seconds
 */
export const selectPlacementFacts = async (
  database: Database,
  chainId: number,
  order: PlacementQuery,
  now: number,
): Promise<PlacementFacts> => {
  const openLimitOrders = database
    .select({ amount: count().as('amount') })
    .from(orders)
    .where(
      and(
        eq(orders.chainId, chainId),
        eq(orders.owner, order.owner),
        eq(orders.class, 'limit'),
        isNotNull(orders.quoteId),
        isNull(orders.cancelledAt),
        not(orders.invalidated),
        gte(lastValidSecond, now),
        isUnfilled,
      ),
    )
    .as('open_limit_orders')
  const [facts] = await database
    .select({
      duplicate: statusColumns,
      quote: getTableColumns(quotes),
      fullAppData: appData.fullAppData,
      openLimitOrders: openLimitOrders.amount,
    })
    .from(openLimitOrders)
    .leftJoin(orders, and(eq(orders.chainId, chainId), eq(orders.uid, order.uid)))
    .leftJoin(quotes, eq(quotes.id, selectMatchingQuote(database, chainId, order, now)))
    .leftJoin(appData, eq(appData.hash, order.appDataHash))
  return facts ?? { duplicate: null, quote: null, fullAppData: null, openLimitOrders: 0 }
}

/**
 * Id of the quote that an order was priced by: one for the same tokens, kind and exact amount that has not expired. The one
 * the order names comes first, whatever it was asked for; else the best of those for orders over the API, verified ones
 * first. A quote keeps the sell amount before its fee was taken out, so a sell order matches when it signs the whole of it.
 * Limit amount and app data are the client's own, since slippage and its note change both.
 */
const selectMatchingQuote = (database: Database, chainId: number, order: PlacementQuery, now: number) => {
  const isNamed = order.quoteId === null ? undefined : eq(quotes.id, order.quoteId)
  return database
    .select({ id: quotes.id })
    .from(quotes)
    .where(
      and(
        eq(quotes.chainId, chainId),
        eq(quotes.sellToken, order.sellToken),
        eq(quotes.buyToken, order.buyToken),
        eq(quotes.kind, order.kind),
        order.kind === 'sell' ? eq(quotes.sellAmount, order.sellAmount) : eq(quotes.buyAmount, order.buyAmount),
        gte(quotes.expiresAt, new Date(now * 1_000)),
        or(isNamed, eq(quotes.quoteKind, 'standard')),
      ),
    )
    .orderBy(
      ...(isNamed ? [desc(isNamed)] : []),
      desc(quotes.verified),
      desc(sql`${quotes.buyAmount} / nullif(${quotes.sellAmount} + ${quotes.feeAmount}, 0)`),
      desc(quotes.id),
    )
    .limit(1)
}
