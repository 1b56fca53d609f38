import { and, desc, eq, getTableColumns, gte, or, type SQLWrapper, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { OfferedQuote } from '#shared/orders/checkSignedFee.ts'
import type { Database } from '../../client.ts'
import { type Given, prepared } from '../../neon/prepared.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { offeredQuoteColumns } from '../fragments/offeredQuoteColumns.ts'
import { type OrderState, statusColumns } from '../fragments/statusColumns.ts'

/** An order to be placed. */
export type PlacementQuery = Pick<
  typeof orders.$inferSelect,
  'uid' | 'sellToken' | 'buyToken' | 'kind' | 'sellAmount' | 'buyAmount' | 'appDataHash' | 'quoteId'
>

/** Stored facts about an order to be placed. */
export type PlacementFacts = {
  /** the existing order */
  duplicate: OrderState | null
  /** the quote that prices it */
  quote: typeof quotes.$inferSelect | null
  /** the quote that it names, expired or not and for any purpose; null without one, or when it is not stored */
  namedQuote: (OfferedQuote & Pick<typeof quotes.$inferSelect, 'gasAmount'>) | null
  /** the document of its app data hash */
  fullAppData: string | null
}

/**
 * Looks up all facts for placing an order in one round trip.
 * @param now Unix seconds
 */
export const selectPlacementFacts = async (
  database: Database,
  chainId: number,
  order: PlacementQuery,
  now: number,
): Promise<PlacementFacts> => {
  const { uid, sellToken, buyToken, appDataHash, quoteId } = order
  const exactAmount = order.kind === 'sell' ? order.sellAmount : order.buyAmount
  const quotedAfter = new Date(now * 1_000)
  const values = { chainId, uid, sellToken, buyToken, appDataHash, quoteId, exactAmount, quotedAfter }
  const [facts] = await selectFacts(database, values, { kind: order.kind })
  return facts ?? { duplicate: null, quote: null, namedQuote: null, fullAppData: null }
}

type Kind = PlacementQuery['kind']

const namedQuote = alias(quotes, 'named_quote')

const selectFacts = prepared((database, given, { kind }: { kind: Kind }) =>
  database
    .select({
      duplicate: statusColumns,
      quote: getTableColumns(quotes),
      namedQuote: { ...offeredQuoteColumns(namedQuote), gasAmount: namedQuote.gasAmount },
      fullAppData: appData.fullAppData,
    })
    .from(sql`(select 1) as once`)
    .leftJoin(
      orders,
      and(eq(orders.chainId, given('chainId', orders.chainId)), eq(orders.uid, given('uid', orders.uid))),
    )
    .leftJoin(
      quotes,
      and(
        eq(quotes.chainId, given('chainId', quotes.chainId)),
        eq(quotes.id, selectMatchingQuote(database, given, kind)),
      ),
    )
    .leftJoin(
      namedQuote,
      and(eq(namedQuote.chainId, given('chainId', quotes.chainId)), eq(namedQuote.id, given('quoteId', quotes.id))),
    )
    .leftJoin(appData, eq(appData.hash, given('appDataHash', appData.hash))),
)

/**
 * Id of the quote that prices an order: an unexpired quote for the same tokens, kind and exact amount. The quote that
 * the order names comes first, for any purpose; else the best of those for orders over the API, verified ones first. A
 * quote stores the sell amount before its fee, so a sell order matches when it signs the whole amount, and the quote
 * that it names also when it signs the amount after the fee. Limit amount and app data may differ, since slippage and
 * its note change both.
 */
export const selectMatchingQuote = (database: Database, given: Given, kind: Kind) => {
  // null when the order names none; then no comparison is true
  const isNamed = eq(quotes.id, given('quoteId', quotes.id))
  const matches = (amount: SQLWrapper) => sql`${amount} = ${given('exactAmount', quotes.sellAmount)}`
  const afterFee = sql`${quotes.sellAmount} - ${quotes.feeAmount}`
  const hasAmount =
    kind === 'sell' ? or(matches(quotes.sellAmount), and(isNamed, matches(afterFee))) : matches(quotes.buyAmount)
  return database
    .select({ id: quotes.id })
    .from(quotes)
    .where(
      and(
        eq(quotes.chainId, given('chainId', quotes.chainId)),
        eq(quotes.sellToken, given('sellToken', quotes.sellToken)),
        eq(quotes.buyToken, given('buyToken', quotes.buyToken)),
        eq(quotes.kind, kind),
        hasAmount,
        gte(quotes.expiresAt, given('quotedAfter', quotes.expiresAt)),
        or(isNamed, eq(quotes.quoteKind, 'standard')),
      ),
    )
    .orderBy(
      desc(isNamed),
      desc(quotes.verified),
      desc(sql`${quotes.buyAmount} / nullif(${quotes.sellAmount} + ${quotes.feeAmount}, 0)`),
      desc(quotes.id),
    )
    .limit(1)
}
