import { and, asc, eq, getTableColumns, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Address, Hex } from 'viem'
import type { StoredOrder, StoredOrderQuote } from '#shared/orders/storedOrder.ts'
import type { Database } from '../client.ts'
import { appData } from '../tables/appData.ts'
import { orderEvents } from '../tables/orderEvents.ts'
import { orderQuotes } from '../tables/orderQuotes.ts'
import { orders } from '../tables/orders.ts'
import { quotes } from '../tables/quotes.ts'
import { trades } from '../tables/trades.ts'
import { recomputeOrders } from './executedOrders.ts'
import { newestFirst } from './newestFirst.ts'
import { insertNotifications, loggedColumns } from './notifications.ts'
import { canReplace, lockReplaced, type ReplacedOrder, type Replacement } from './replacement.ts'
import { type OrderState, statusColumns } from './statusColumns.ts'

const {
  chainId: _ofOrder,
  referrerCode: _referrerCode,
  admissionMs: _admissionMs,
  ...orderColumns
} = getTableColumns(orders)
const { chainId: _ofQuote, orderUid: _uid, ...orderQuoteColumns } = getTableColumns(orderQuotes)

/** An order about to be placed; `fullAppData` is the document to keep with it, null when the database has it already. */
export type NewOrder = typeof orders.$inferInsert & { fullAppData: string | null }

/** What became of an order that was to be placed. */
export type InsertOutcome = {
  /** false: nothing is written */
  inserted: boolean
  /** the order as it is now; null when it is not there */
  stored: OrderState | null
  /** the order it was to take the place of; null without one, or when that is not there */
  replaced: ReplacedOrder | null
}

/**
 * Places an order: its row, its `created` event, a copy of its quote and its app data document, all in one statement; what
 * the chain said of it before it came (a pre-signature, say) is applied in the same transaction. An order that replaces
 * another one cancels that one in the same statement, or is not placed: whether it can be replaced is looked at on its locked
 * row, so a fill that was indexed meanwhile counts.
 */
export const insertOrder = async (
  database: Database,
  { fullAppData, ...order }: NewOrder,
  replacement: Replacement | null = null,
): Promise<InsertOutcome> => {
  const { chainId, uid, owner } = order
  const insertAll = database.execute(sql`
    with inserted as (
      insert into ${orders} ${toColumnsAndValues(order)}
      where ${replacement ? canReplace(database, chainId, owner, replacement) : sql`true`}
      on conflict do nothing
      returning chain_id, uid, quote_id, app_data_hash, created_at
    ),
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
    ),
    cancelled as (
      update ${orders} as o set cancelled_at = inserted.created_at, version = o.version + 1
      from inserted
      where o.chain_id = inserted.chain_id and o.uid = ${sql.param(replacement?.uid ?? null, orders.uid)}
      returning o.chain_id, o.uid
    ),
    cancellation as (
      insert into ${orderEvents} (chain_id, order_uid, key, label, data)
      select chain_id, uid, 'cancelled', 'cancelled', jsonb_build_object('replacedBy', ${uid}::text) from cancelled
      on conflict do nothing
      returning ${loggedColumns}
    )
    ${replacement ? sql`, notified as (${insertNotifications(sql`cancellation`)})` : sql``}
    select 1 from inserted`)
  const applyEvents = recomputeOrders(database, chainId, Number.MAX_SAFE_INTEGER, [uid])
  const selectStored = database
    .select(statusColumns)
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
  const placing = [insertAll, applyEvents, selectStored] as const
  if (!replacement) {
    const [{ rows }, , [stored = null]] = await database.batch(placing)
    return { inserted: rows.length > 0, stored, replaced: null }
  }
  const locking = lockReplaced(database, chainId, replacement.uid)
  const [[replaced = null], { rows }, , [stored = null]] = await database.batch([locking, ...placing])
  return { inserted: rows.length > 0, stored, replaced }
}

/** `(columns) select values`, to which a condition can be added; columns without a value get their default. */
const toColumnsAndValues = (order: typeof orders.$inferInsert): SQL => {
  const given = Object.entries(getTableColumns(orders)).flatMap(([key, column]) => {
    const value: unknown = order[key as keyof typeof order]
    return value === undefined ? [] : [{ column, value }]
  })
  const names = given.map(({ column }) => sql.identifier(column.name))
  // a parameter in a select list is a text unless its type is given
  const values = given.map(({ column, value }) => sql`${sql.param(value, column)}::${sql.raw(column.getSQLType())}`)
  return sql`(${sql.join(names, sql`, `)}) select ${sql.join(values, sql`, `)}`
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

/** Orders with their documents, newest first; quotes stay out of lists, since their plans are large. */
const selectNewestFirst = (database: Database, condition: SQL | undefined) =>
  database
    .select({ order: orderColumns, fullAppData: appData.fullAppData })
    .from(orders)
    .leftJoin(appData, eq(appData.hash, orders.appDataHash))
    .where(condition)
    .orderBy(newestFirst(orders.createdAt), asc(orders.uid))

/**
 * Orders of one account, those that it owns and those that were placed on-chain for it, newest first; with `after`, those that
 * follow that order in the list. Each of the two kinds is read by its own index, as far as the page needs it.
 */
export const selectAccountOrders = async (
  database: Database,
  chainId: number,
  account: Address,
  { offset, limit, after }: Page & { after?: Hex | undefined },
): Promise<StoredOrder[]> => {
  const newestOf = (column: typeof orders.owner | typeof orders.onchainUser) =>
    database
      .select({ uid: orders.uid })
      .from(orders)
      .where(and(eq(orders.chainId, chainId), eq(column, account), after && followsOrder(chainId, after)))
      .orderBy(newestFirst(orders.createdAt), asc(orders.uid))
      .limit(offset + limit)
  const rows = await selectNewestFirst(
    database,
    and(eq(orders.chainId, chainId), inArray(orders.uid, union(newestOf(orders.owner), newestOf(orders.onchainUser)))),
  )
    .offset(offset)
    .limit(limit)
  return rows.map((row) => toStoredOrder({ ...row, quote: null }))
}

/** Comes after the order `uid` in a list that is newest first; nothing comes after an unknown one. */
const followsOrder = (chainId: number, uid: Hex): SQL => {
  const creation = sql`(select created_at from ${orders} where chain_id = ${chainId} and uid = ${sql.param(uid, orders.uid)})`
  return sql`${orders.createdAt} <= ${creation} and (${orders.createdAt} < ${creation} or ${gt(orders.uid, uid)})`
}

/** Orders that were traded in a transaction, in however many settlements of it, newest first. */
export const selectTransactionOrders = async (
  database: Database,
  chainId: number,
  transactionHash: Hex,
): Promise<StoredOrder[]> => {
  const traded = database
    .select({ uid: trades.orderUid })
    .from(trades)
    .where(and(eq(trades.chainId, chainId), eq(trades.transactionHash, transactionHash)))
  const rows = await selectNewestFirst(database, and(eq(orders.chainId, chainId), inArray(orders.uid, traded)))
  return rows.map((row) => toStoredOrder({ ...row, quote: null }))
}
