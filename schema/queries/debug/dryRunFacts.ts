import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { nativeSentinel } from '#shared/networks.ts'
import type { OfferedQuote } from '#shared/orders/checkSignedFee.ts'
import type { StoredOrder } from '#shared/orders/storedOrder.ts'
import type { Database } from '../../client.ts'
import { auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orders } from '../../tables/orders/orders.ts'
import { quotes } from '../../tables/quotes/quotes.ts'
import { offeredQuoteColumns } from '../fragments/offeredQuoteColumns.ts'
import { selectWithQuote, toStoredOrder } from '../orders/orders.ts'
import { groupFailures, type OrderFailures } from '../settlements/groupFailures.ts'
import { selectSettlementFailures } from '../settlements/selectSettlementFailures.ts'
import { ordersInFlight } from '../settlements/settlementAttempts.ts'

/** Number of earlier auctions searched for a price that the newest one does not have. */
const maxAuctions = 50

/** The newest auction price of each token, wei per 10¹⁸ atoms; `auctionId` is the auction of `sellPrice`. */
export type MarketPrices = { auctionId: number; sellPrice: bigint; buyPrice: bigint }

export type DryRunQuery = {
  /** null while the owner is unknown */
  uid: Hex | null
  appDataHash: Hex | null
  quoteId: number | null
  sellToken: Address
  buyToken: Address
}

/** Stored facts for the dry run of an order. */
export type DryRunFacts = {
  /** the order, if it was placed */
  stored: StoredOrder | null
  /** the document of its app data hash */
  fullAppData: string | null
  /** the quote named by a new order, expired or not; null without one, or when it is not stored */
  namedQuote: OfferedQuote | null
  market: MarketPrices | null
  /** null without a failed settlement since the last fill */
  settlementFailures: OrderFailures | null
  /** a winner of an auction may be settling it */
  inFlight: boolean
}

/** All stored facts for the dry run of an order, in one round trip. */
export const selectDryRunFacts = async (
  database: Database,
  chainId: number,
  wrappedNative: Address,
  { uid, appDataHash, quoteId, sellToken, buyToken }: DryRunQuery,
): Promise<DryRunFacts> => {
  const [[stored], [document], [namedQuote], { rows }, failures, flights] = await database.batch([
    selectWithQuote(database).where(and(eq(orders.chainId, chainId), uid ? eq(orders.uid, uid) : sql`false`)),
    database
      .select({ fullAppData: appData.fullAppData })
      .from(appData)
      .where(appDataHash ? eq(appData.hash, appDataHash) : sql`false`),
    database
      .select(offeredQuoteColumns(quotes))
      .from(quotes)
      .where(quoteId === null ? sql`false` : and(eq(quotes.chainId, chainId), eq(quotes.id, quoteId))),
    selectMarket(database, chainId, wrappedNative, {
      sellToken: sql`${sellToken}::text`,
      buyToken: sql`${buyToken}::text`,
    }),
    selectSettlementFailures(database, chainId, uid ?? '0x'),
    selectFlights(database, chainId, uid),
  ])
  return {
    stored: stored ? toStoredOrder(stored) : null,
    fullAppData: document?.fullAppData ?? null,
    namedQuote: namedQuote ?? null,
    market: toMarket(rows[0]),
    settlementFailures: stored ? groupFailures(failures)(stored.order) : null,
    inFlight: flights.rows.length > 0,
  }
}

/** The same for a placed order. */
export const selectStoredDryRunFacts = async (
  database: Database,
  chainId: number,
  wrappedNative: Address,
  uid: Hex,
): Promise<DryRunFacts> => {
  const ofOrder = (column: typeof orders.sellToken | typeof orders.buyToken): SQL =>
    sql`(select '0x' || encode(${column}, 'hex') from ${orders}
      where ${orders.chainId} = ${chainId} and ${orders.uid} = ${sql.param(uid, orders.uid)})`
  const [[stored], { rows }, failures, flights] = await database.batch([
    selectWithQuote(database).where(and(eq(orders.chainId, chainId), eq(orders.uid, uid))),
    selectMarket(database, chainId, wrappedNative, {
      sellToken: ofOrder(orders.sellToken),
      buyToken: ofOrder(orders.buyToken),
    }),
    selectSettlementFailures(database, chainId, uid),
    selectFlights(database, chainId, uid),
  ])
  return {
    stored: stored ? toStoredOrder(stored) : null,
    fullAppData: stored?.fullAppData ?? null,
    namedQuote: null,
    market: toMarket(rows[0]),
    settlementFailures: stored ? groupFailures(failures)(stored.order) : null,
    inFlight: flights.rows.length > 0,
  }
}

const selectFlights = (database: Database, chainId: number, uid: Hex | null) =>
  database.execute(sql`select 1 from ${ordersInFlight(chainId)} as in_flight
    where ${uid ? sql`uid = ${sql.param(uid, orders.uid)}` : sql`false`}`)

type MarketRow = { id: string; sell_price: string; buy_price: string }

/**
 * The tokens may be of two auctions: an auction has the prices of its orders' tokens only, and the next one charges the
 * fee at the price that it remembers. The native token has the price of the wrapped token, which every auction includes.
 */
const selectMarket = (
  database: Database,
  chainId: number,
  wrappedNative: Address,
  { sellToken, buyToken }: { sellToken: SQL; buyToken: SQL },
) =>
  database.execute<MarketRow>(sql`
    with wanted as (
      select ${sellToken} as sell, case ${buyToken} when ${nativeSentinel} then ${wrappedNative} else ${buyToken} end as buy
    ),
    known as (
      select id, prices from ${currentAuctions} where chain_id = ${chainId}
      union all
      (select id, prices from ${auctions} where chain_id = ${chainId} order by id desc limit ${maxAuctions})
    )
    select sold.id, sold.price as sell_price, bought.price as buy_price
    from wanted
    cross join lateral (select id, prices ->> sell as price from known
      where prices ->> sell <> '0' order by id desc limit 1) as sold
    cross join lateral (select prices ->> buy as price from known
      where prices ->> buy <> '0' order by id desc limit 1) as bought`)

const toMarket = (row: MarketRow | undefined): MarketPrices | null =>
  row ? { auctionId: Number(row.id), sellPrice: BigInt(row.sell_price), buyPrice: BigInt(row.buy_price) } : null
