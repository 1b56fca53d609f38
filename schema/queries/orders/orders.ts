import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Hex } from 'viem'
import type { StoredOrder, StoredOrderQuote } from '#shared/orders/storedOrder.ts'
import type { Database } from '../../client.ts'
import { prepared } from '../../neon/prepared.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import type { OrderState } from '../fragments/statusColumns.ts'
import { toUidText } from '../fragments/uidList.ts'
import { buildInsertStatements, type InsertRow } from './insertStatements.ts'
import { type ExceededBound, findExceeded, type OrderBounds, toHolder } from './orderBounds.ts'
import { type FoundPricing, findPricingRule, type Pricing, toFoundPricing, toPricingValues } from './pricing.ts'
import type { ReplacedOrder, Replacement } from './replacement.ts'

const {
  chainId: _ofOrder,
  referrerCode: _referrerCode,
  admissionMs: _admissionMs,
  submittedBy: _submittedBy,
  ...orderColumns
} = getTableColumns(orders)
const { chainId: _ofQuote, orderUid: _uid, ...orderQuoteColumns } = getTableColumns(orderQuotes)

/** An order to be placed; `fullAppData` is the document to store with it, null when it is already stored. */
export type NewOrder = typeof orders.$inferInsert & { fullAppData: string | null }

/** Result of placing an order. */
export type InsertOutcome = FoundPricing & {
  /** false: nothing is written */
  inserted: boolean
  /** the existing order; null without one */
  stored: OrderState | null
  /** the limit that it would exceed; null within all limits */
  exceeded: ExceededBound | null
  /** the order to be replaced; null without one, or when it is unknown */
  replaced: ReplacedOrder | null
}

/** Columns without a value get their default. */
const absent = Object.fromEntries(Object.keys(getTableColumns(orders)).map((field) => [field, null]))

/**
 * Places an order: its row, its `created` event, a copy of its quote and its app data document in one statement;
 * earlier on-chain events (a pre-signature, for example) are applied in the same transaction. A replacement cancels the
 * old order in the same statement, or is not placed: the check runs on the locked row, so a fill indexed meanwhile
 * counts.
 *
 * A row with the same UID for which `canTakeOverRow` holds is taken over: it retains its creation time, events and
 * executed amounts, and gets everything else from the new submission. The signed submission wins in any order of
 * commits.
 * @param bounds limits of open orders; none without it
 * @param pricing finds the quote of the order in the same statement: `quoteId` is the quote that the order names,
 *   `class` its class without a matching quote; the order is refused when the quote needs too much gas
 * @param beside statements that run after it in the same transaction
 */
export const insertOrder = async (
  database: Database,
  order: NewOrder,
  replacement: Replacement | null = null,
  bounds: OrderBounds | null = null,
  pricing: Pricing | null = null,
  beside: readonly BatchItem<'pg'>[] = [],
): Promise<InsertOutcome> => {
  const values = {
    ...{ ...absent, ...order, ...bounds, ...(pricing && toPricingValues(order, pricing)) },
    ...{ holder: toHolder(order), uids: toUidText([order.uid]), afterAll: Number.MAX_SAFE_INTEGER },
    ...{ replaced: replacement?.uid ?? null, replacedAt: replacement?.now ?? null },
  }
  const variant = {
    isUnsigned: order.signingScheme === 'presign',
    isReplacement: replacement !== null,
    isBounded: bounds !== null,
    rule: pricing && findPricingRule(order),
  }
  const { lock, lockOld, placing } = buildInsertStatements(database, values, variant)
  if (!replacement) {
    const [, { rows }, , , [stored = null]] = await database.batch([lock, ...placing, ...beside])
    return { ...toOutcome(order, bounds, rows[0]), stored, replaced: null }
  }
  const [, [replaced = null], { rows }, , , [stored = null]] = await database.batch([
    lock,
    lockOld,
    ...placing,
    ...beside,
  ])
  return { ...toOutcome(order, bounds, rows[0]), stored, replaced }
}

const toOutcome = (
  order: typeof orders.$inferInsert,
  bounds: OrderBounds | null,
  row: InsertRow | undefined,
): Pick<InsertOutcome, 'inserted' | 'exceeded' | keyof FoundPricing> => {
  const inserted = row?.placed ?? false
  const classed = row?.isMarket ? { ...order, class: 'market' as const } : order
  return {
    ...toFoundPricing(row ?? {}),
    inserted,
    exceeded: bounds && row && !inserted ? findExceeded(classed, bounds, row) : null,
  }
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
  const [row] = await runSelectOrder(database, { chainId, uid })
  return row && toStoredOrder(row)
}

const runSelectOrder = prepared((database, given) =>
  selectWithQuote(database).where(
    and(eq(orders.chainId, given('chainId', orders.chainId)), eq(orders.uid, given('uid', orders.uid))),
  ),
)

/** Existing orders of `uids` in any order, with document and quote. */
export const selectOrders = async (database: Database, chainId: number, uids: Hex[]): Promise<StoredOrder[]> => {
  const rows = await runSelectOrders(database, { chainId, uids: uids.map((uid) => orders.uid.mapToDriverValue(uid)) })
  return rows.map(toStoredOrder)
}

const runSelectOrders = prepared((database, given) =>
  selectWithQuote(database).where(
    and(eq(orders.chainId, given('chainId', orders.chainId)), sql`${orders.uid} = any(${given('uids')}::bytea[])`),
  ),
)

export type Page = { offset: number; limit: number }

/** Orders with their documents; lists omit quotes, whose plans are large. */
export const selectWithDocument = (database: Database, condition: SQL | undefined) =>
  database
    .select({ order: orderColumns, fullAppData: appData.fullAppData })
    .from(orders)
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))
    .where(condition)

/** Orders traded in any settlement of a transaction, newest first. */
export const selectTransactionOrders = async (
  database: Database,
  chainId: number,
  transactionHash: Hex,
): Promise<StoredOrder[]> => {
  const traded = database
    .select({ uid: trades.orderUid })
    .from(trades)
    .where(and(eq(trades.chainId, chainId), eq(trades.transactionHash, transactionHash)))
  const rows = await selectWithDocument(
    database,
    and(eq(orders.chainId, chainId), inArray(orders.uid, traded)),
  ).orderBy(newestFirst(orders.createdAt), asc(orders.uid))
  return rows.map((row) => toStoredOrder({ ...row, quote: null }))
}
