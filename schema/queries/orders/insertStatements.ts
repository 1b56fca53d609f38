import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import type { PreparedStatement } from '../../neon/prepareStatement.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { type Given, prepareForBatch } from '../fragments/prepareOnce.ts'
import { statusColumns } from '../fragments/statusColumns.ts'
import { insertNotifications, loggedColumns } from '../notifications/notifications.ts'
import { deleteStaleCopies, insertQuoteCopies } from '../quotes/quoteCopies.ts'
import { recomputeOrders } from './executedOrders.ts'
import { type ExceededBound, isWithinBounds, lockBounds, selectCounts } from './orderBounds.ts'
import { isPriceable, type PricingRow, type PricingRule, pricingColumns, selectPricing } from './pricing.ts'
import { canReplace, lockReplaced } from './replacement.ts'
import { canTakeOverRow, takenOver, takeoverAssignments } from './takeover.ts'

/** What the text of the statement depends on. */
export type InsertVariant = {
  /** columns with a value, by field; others get their default */
  fields: readonly string[]
  isUnsigned: boolean
  isReplacement: boolean
  isBounded: boolean
  /** null: class and quote are the order's own */
  rule: PricingRule | null
}

/** The outcome of `insertAll`: whether the order is placed, its counts, and what priced it. */
export type InsertRow = { placed: boolean } & Partial<Record<ExceededBound['field'], number>> & Partial<PricingRow>

const columns = getTableColumns(orders)
const ofChain = (given: Given): SQL => given('chainId', orders.chainId)
const plain = (name: string): SQL => sql`${sql.placeholder(name)}`

/** Statements of one placement, in this order, in one transaction; `lockOld` only for a replacement. */
const prepared = {
  lock: prepareForBatch((database) => lockBounds(database, sql.placeholder('holder'))),
  lockOld: prepareForBatch((database, given) => lockReplaced(database, ofChain(given), given('replaced', orders.uid))),
  dropCopies: prepareForBatch((database) =>
    deleteStaleCopies(database, sql.placeholder('chainId'), sql.placeholder('uids')),
  ),
  applyEvents: prepareForBatch((database) =>
    recomputeOrders(database, sql.placeholder('chainId'), sql.placeholder('afterAll'), sql.placeholder('uids')),
  ),
  selectStored: prepareForBatch((database, given) =>
    database
      .select(statusColumns)
      .from(orders)
      .where(and(eq(orders.chainId, ofChain(given)), eq(orders.uid, given('uid', orders.uid)))),
  ),
}

const inserts = new Map<string, (database: Database) => PreparedStatement<{ rows: InsertRow[] }>>()

/** The statements of one placement; their texts are built once for each variant. */
export const findInsertStatements = (database: Database, variant: InsertVariant) => {
  const key = Object.values(variant).join()
  const insertAll = inserts.get(key) ?? prepareForBatch((own, given) => buildInsert(own, given, variant))
  inserts.set(key, insertAll)
  return {
    lock: prepared.lock(database),
    lockOld: prepared.lockOld(database),
    placing: [
      insertAll(database),
      prepared.dropCopies(database),
      prepared.applyEvents(database),
      prepared.selectStored(database),
    ] as const,
  }
}

const buildInsert = (database: Database, given: Given, variant: InsertVariant) => {
  const { isReplacement, isBounded, rule } = variant
  const uid = given('uid', orders.uid)
  const replaced = sql`${given('replaced', orders.uid)}::bytea`
  const own = (name: 'class' | 'quoteId') => sql`${given(name, columns[name])}::${sql.raw(columns[name].getSQLType())}`
  const orderClass = rule
    ? sql`case when (select is_market from priced) then 'market' else ${own('class')} end`
    : own('class')
  const bounded = {
    chainId: ofChain(given),
    uid,
    owner: given('owner', orders.owner),
    submittedBy: given('submittedBy', orders.submittedBy),
    class: orderClass,
    signingScheme: variant.isUnsigned ? ('presign' as const) : ('eip712' as const),
  }
  const bounds = {
    now: plain('now'),
    limitOrders: plain('limitOrders'),
    openOrders: plain('openOrders'),
    unsignedOfClient: plain('unsignedOfClient'),
    unsignedOrders: plain('unsignedOrders'),
  }
  const condition = and(
    isReplacement
      ? canReplace(database, { ...bounded, uid: given('replaced', orders.uid), now: plain('replacedAt') })
      : undefined,
    isBounded ? isWithinBounds(bounded, bounds, sql`counted`) : undefined,
    rule ? isPriceable : undefined,
  )
  const priced: Record<string, SQL> = rule ? { class: orderClass, quoteId: sql`(select id from priced)` } : {}
  return database.execute<InsertRow>(sql`
    with ${rule ? sql`priced as materialized (${selectPricing(database, given, rule)}),` : sql``}
    counted as materialized (${isBounded ? selectCounts(bounded, bounds, replaced) : sql`select 1`}),
    inserted as (
      insert into ${orders} ${toColumnsAndValues(variant.fields, given, priced)}
      where ${condition ?? sql`true`}
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
      select app_data_hash, ${plain('fullAppData')} from inserted where ${plain('fullAppData')}::text is not null
      on conflict do nothing
    ),
    cancelled as (
      update ${orders} as o set cancelled_at = now(), version = o.version + 1
      from inserted
      where o.chain_id = inserted.chain_id and o.uid = ${replaced}
      returning o.chain_id, o.uid
    ),
    cancellation as (
      insert into ${orderEvents} (chain_id, order_uid, key, label, data)
      select chain_id, uid, 'cancelled', 'cancelled', jsonb_build_object('replacedBy', ${plain('uid')}::text) from cancelled
      on conflict do nothing
      returning ${loggedColumns}
    )
    ${isReplacement ? sql`, notified as (${insertNotifications(sql`cancellation`)})` : sql``}
    select exists (select 1 from inserted) as placed, counted.* ${rule ? sql`, ${pricingColumns(given)}` : sql``}
    from counted`)
}

/** `(columns) select values`, which accepts a condition; columns without a value get their default. */
const toColumnsAndValues = (fields: readonly string[], given: Given, priced: Record<string, SQL>): SQL => {
  const used = fields.flatMap((field) => {
    const column = columns[field as keyof typeof columns]
    return column ? [{ field, column }] : []
  })
  const names = used.map(({ column }) => sql.identifier(column.name))
  // a parameter in a select list is text unless its type is given
  const values = used.map(
    ({ field, column }) => priced[field] ?? sql`${given(field, column)}::${sql.raw(column.getSQLType())}`,
  )
  return sql`(${sql.join(names, sql`, `)}) select ${sql.join(values, sql`, `)}`
}
