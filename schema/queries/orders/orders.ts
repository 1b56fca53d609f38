import { and, asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { StoredOrder, StoredOrderQuote } from '#shared/orders/storedOrder.ts'
import type { Database } from '../../client.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { orderQuotes } from '../../tables/quotes/orderQuotes.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { newestFirst } from '../fragments/newestFirst.ts'
import { prepareOnce } from '../fragments/prepareOnce.ts'
import { type OrderState, statusColumns } from '../fragments/statusColumns.ts'
import { insertNotifications, loggedColumns } from '../notifications/notifications.ts'
import { deleteStaleCopies, insertQuoteCopies } from '../quotes/quoteCopies.ts'
import { recomputeOrders } from './executedOrders.ts'
import {
  type ExceededBound,
  findExceeded,
  isWithinBounds,
  lockBounds,
  type OrderBounds,
  selectCounts,
} from './orderBounds.ts'
import { canReplace, lockReplaced, type ReplacedOrder, type Replacement } from './replacement.ts'
import { canTakeOverRow, takenOver, takeoverAssignments } from './takeover.ts'

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
export type InsertOutcome = {
  /** false: nothing is written */
  inserted: boolean
  /** the existing order; null without one */
  stored: OrderState | null
  /** the limit that it would exceed; null within all limits */
  exceeded: ExceededBound | null
  /** the order to be replaced; null without one, or when it is unknown */
  replaced: ReplacedOrder | null
}

/**
 * Places an order: its row, its `created` event, a copy of its quote and its app data document in one statement;
 * earlier on-chain events (a pre-signature, for example) are applied in the same transaction. A replacement cancels the
 * old order in the same statement, or is not placed: the check runs on the locked row, so a fill indexed meanwhile
 * counts.
 *
 * A row with the same UID for which `canTakeOverRow` holds is taken over: it keeps its creation time, events and
 * executed amounts, and gets everything else from the new submission. The signed submission wins in any order of
 * commits.
 * @param bounds limits of open orders; none without it
 */
export const insertOrder = async (
  database: Database,
  { fullAppData, ...order }: NewOrder,
  replacement: Replacement | null = null,
  bounds: OrderBounds | null = null,
): Promise<InsertOutcome> => {
  const { chainId, uid, owner } = order
  const replacedUid = sql`${sql.param(replacement?.uid ?? null, orders.uid)}::bytea`
  const insertAll = database.execute<Counts & { placed: boolean }>(sql`
    with counted as materialized (${bounds ? selectCounts(order, bounds, replacedUid) : sql`select 1`}),
    inserted as (
      insert into ${orders} ${toColumnsAndValues(order)}
      where ${replacement ? canReplace(database, chainId, owner, replacement) : sql`true`}
        and ${bounds ? isWithinBounds(order, bounds, sql`counted`) : sql`true`}
      on conflict (chain_id, uid) do update set ${takeoverAssignments} where ${canTakeOverRow}
      returning chain_id, uid, quote_id, app_data_hash, created_at, version
    ),
    event as (
      insert into ${orderEvents} (chain_id, order_uid, key, label, reason)
      select chain_id, uid, case version when 1 then 'created' else 'created:' || version end, 'created',
        case when version > 1 then ${takenOver} end
      from inserted
    ),
    quote as (${insertQuoteCopies(sql`inserted`)}),
    document as (
      insert into ${appData} (hash, full_app_data)
      select app_data_hash, ${fullAppData} from inserted where ${fullAppData}::text is not null
      on conflict do nothing
    ),
    cancelled as (
      update ${orders} as o set cancelled_at = now(), version = o.version + 1
      from inserted
      where o.chain_id = inserted.chain_id and o.uid = ${replacedUid}
      returning o.chain_id, o.uid
    ),
    cancellation as (
      insert into ${orderEvents} (chain_id, order_uid, key, label, data)
      select chain_id, uid, 'cancelled', 'cancelled', jsonb_build_object('replacedBy', ${uid}::text) from cancelled
      on conflict do nothing
      returning ${loggedColumns}
    )
    ${replacement ? sql`, notified as (${insertNotifications(sql`cancellation`)})` : sql``}
    select exists (select 1 from inserted) as placed, counted.* from counted`)
  const applyEvents = recomputeOrders(database, chainId, Number.MAX_SAFE_INTEGER, [uid])
  const selectStored = database
    .select(statusColumns)
    .from(orders)
    .where(and(eq(orders.chainId, chainId), eq(orders.uid, uid)))
  const dropCopies = deleteStaleCopies(database, chainId, [uid])
  const placing = [insertAll, dropCopies, applyEvents, selectStored] as const
  const lock = lockBounds(database, order)
  if (!replacement) {
    const [, { rows }, , , [stored = null]] = await database.batch([lock, ...placing])
    return { ...toOutcome(order, bounds, rows[0]), stored, replaced: null }
  }
  const locking = lockReplaced(database, chainId, replacement.uid)
  const [, [replaced = null], { rows }, , , [stored = null]] = await database.batch([lock, locking, ...placing])
  return { ...toOutcome(order, bounds, rows[0]), stored, replaced }
}

type Counts = Partial<Record<ExceededBound['field'], number>>

const toOutcome = (
  order: typeof orders.$inferInsert,
  bounds: OrderBounds | null,
  row: (Counts & { placed: boolean }) | undefined,
): Pick<InsertOutcome, 'inserted' | 'exceeded'> => {
  const inserted = row?.placed ?? false
  return { inserted, exceeded: bounds && row && !inserted ? findExceeded(order, bounds, row) : null }
}

/** `(columns) select values`, which accepts a condition; columns without a value get their default. */
const toColumnsAndValues = (order: typeof orders.$inferInsert): SQL => {
  const given = Object.entries(getTableColumns(orders)).flatMap(([key, column]) => {
    const value: unknown = order[key as keyof typeof order]
    return value === undefined ? [] : [{ column, value }]
  })
  const names = given.map(({ column }) => sql.identifier(column.name))
  // a parameter in a select list is text unless its type is given
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
  const [row] = await runSelectOrder(database, { chainId, uid })
  return row && toStoredOrder(row)
}

const runSelectOrder = prepareOnce((database, given) =>
  selectWithQuote(database).where(
    and(eq(orders.chainId, given('chainId', orders.chainId)), eq(orders.uid, given('uid', orders.uid))),
  ),
)

/** Existing orders of `uids` in any order, with document and quote. */
export const selectOrders = async (database: Database, chainId: number, uids: Hex[]): Promise<StoredOrder[]> => {
  const rows = await runSelectOrders(database, { chainId, uids: uids.map((uid) => orders.uid.mapToDriverValue(uid)) })
  return rows.map(toStoredOrder)
}

const runSelectOrders = prepareOnce((database, given) =>
  selectWithQuote(database).where(
    and(
      eq(orders.chainId, given('chainId', orders.chainId)),
      sql`${orders.uid} = any(${sql.placeholder('uids')}::bytea[])`,
    ),
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
