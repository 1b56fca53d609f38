import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import type { StoredOrder, StoredOrderQuote } from '#shared/orders/storedOrder.ts'
import type { Database } from '../client.ts'
import { appData } from '../tables/appData.ts'
import { orderEvents } from '../tables/orderEvents.ts'
import { orderQuotes } from '../tables/orderQuotes.ts'
import { orders } from '../tables/orders.ts'
import { quotes } from '../tables/quotes.ts'
import { recomputeOrders } from './executedOrders.ts'
import { newestFirst } from './newestFirst.ts'

const { chainId: _ofOrder, ...orderColumns } = getTableColumns(orders)
const { chainId: _ofQuote, orderUid: _uid, ...orderQuoteColumns } = getTableColumns(orderQuotes)

/** An order about to be placed; `fullAppData` is the document to keep with it, null when the database has it already. */
export type NewOrder = typeof orders.$inferInsert & { fullAppData: string | null }

/**
 * Places an order: its row, its `created` event, a copy of its quote and its app data document, all in one statement; what
 * the chain said of it before it came (a pre-signature, say) is applied in the same transaction.
 * @returns false when the order is there already; then nothing is written
 */
export const insertOrder = async (database: Database, { fullAppData, ...order }: NewOrder): Promise<boolean> => {
  const inserted = database.insert(orders).values(order).onConflictDoNothing().returning({
    chainId: orders.chainId,
    uid: orders.uid,
    quoteId: orders.quoteId,
    appDataHash: orders.appDataHash,
  })
  const insertAll = database.execute(sql`
    with inserted as ${inserted},
    event as (
      insert into ${orderEvents} (chain_id, order_uid, key, label)
      select chain_id, uid, 'created', 'created' from inserted
    ),
    quote as (
      insert into ${orderQuotes} (chain_id, order_uid, quote_id, sell_amount, buy_amount, gas_amount, gas_price,
        sell_token_price, fee_amount, solver, verified, metadata)
      select inserted.chain_id, inserted.uid, quotes.id, quotes.sell_amount, quotes.buy_amount, quotes.gas_amount,
        quotes.gas_price, quotes.sell_token_price, quotes.fee_amount, quotes.solver, quotes.verified, quotes.metadata
      from inserted join ${quotes} on quotes.id = inserted.quote_id
    ),
    document as (
      insert into ${appData} (hash, full_app_data)
      select app_data_hash, ${fullAppData} from inserted where ${fullAppData}::text is not null
      on conflict do nothing
    )
    select 1 from inserted`)
  const applyEvents = recomputeOrders(database, order.chainId, Number.MAX_SAFE_INTEGER, [order.uid])
  const [{ rows }] = await database.batch([insertAll, applyEvents])
  return rows.length > 0
}

const statusColumns = {
  uid: orders.uid,
  createdAt: orders.createdAt,
  kind: orders.kind,
  sellAmount: orders.sellAmount,
  buyAmount: orders.buyAmount,
  validTo: orders.validTo,
  signingScheme: orders.signingScheme,
  cancelledAt: orders.cancelledAt,
  invalidated: orders.invalidated,
  presigned: orders.presigned,
  executedSellAmount: orders.executedSellAmount,
  executedBuyAmount: orders.executedBuyAmount,
  executedFeeAmount: orders.executedFeeAmount,
}

/** What the database knows about an order that somebody wants to place. */
export type PlacementFacts = {
  /** the order itself, when it is there already: what its status follows from */
  duplicate: Pick<typeof orders.$inferSelect, keyof typeof statusColumns> | null
  quote: typeof quotes.$inferSelect | null
  fullAppData: string | null
}

/** Looks up all that placing an order needs in one round trip. */
export const selectPlacementFacts = async (
  database: Database,
  chainId: number,
  order: { uid: Hex; quoteId: number | null; appDataHash: Hex },
): Promise<PlacementFacts> => {
  const [facts] = await database
    .select({ duplicate: statusColumns, quote: getTableColumns(quotes), fullAppData: appData.fullAppData })
    .from(sql`(select 1) as placement`)
    .leftJoin(orders, and(eq(orders.chainId, chainId), eq(orders.uid, order.uid)))
    .leftJoin(
      quotes,
      order.quoteId === null ? sql`false` : and(eq(quotes.chainId, chainId), eq(quotes.id, order.quoteId)),
    )
    .leftJoin(appData, eq(appData.hash, order.appDataHash))
  return facts ?? { duplicate: null, quote: null, fullAppData: null }
}

/** The statement behind `selectOrder` and `selectOrders`, for a batch; `toStoredOrder` reads its rows. */
export const selectWithQuote = (database: Database) =>
  database
    .select({ order: orderColumns, fullAppData: appData.fullAppData, quote: orderQuoteColumns })
    .from(orders)
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))
    .leftJoin(orderQuotes, and(eq(orderQuotes.chainId, orders.chainId), eq(orderQuotes.orderUid, orders.uid)))

export const toStoredOrder = (row: {
  order: Omit<StoredOrder, 'fullAppData' | 'quote'>
  fullAppData: string | null
  quote: StoredOrderQuote | null
}): StoredOrder => ({ ...row.order, fullAppData: row.fullAppData, quote: row.quote })

/** One order with its document and quote. */
export const selectOrder = async (database: Database, chainId: number, uid: Hex): Promise<StoredOrder | undefined> => {
  const [row] = await selectWithQuote(database).where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
  return row && toStoredOrder(row)
}

/** The orders of `uids` that exist, in any order, with document and quote. */
export const selectOrders = async (database: Database, chainId: number, uids: Hex[]): Promise<StoredOrder[]> => {
  const rows = await selectWithQuote(database).where(and(eq(orders.chainId, chainId), inArray(orders.uid, uids)))
  return rows.map(toStoredOrder)
}

export type Page = { offset: number; limit: number }

/** Orders of one owner, newest first, with their documents; quotes stay out, since their plans are large. */
export const selectAccountOrders = async (
  database: Database,
  chainId: number,
  owner: Address,
  { offset, limit }: Page,
): Promise<StoredOrder[]> => {
  const rows = await database
    .select({ order: orderColumns, fullAppData: appData.fullAppData })
    .from(orders)
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))
    .where(and(eq(orders.chainId, chainId), eq(orders.owner, owner)))
    .orderBy(newestFirst(orders.createdAt), asc(orders.uid))
    .offset(offset)
    .limit(limit)
  return rows.map((row) => ({ ...row.order, fullAppData: row.fullAppData, quote: null }))
}
