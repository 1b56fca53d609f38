import { and, type Column, eq, getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { type Given, prepared, type Values } from '../../neon/prepared.ts'
import { appData } from '../../tables/orders/appData.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { statusColumns } from '../fragments/statusColumns.ts'
import { insertNotifications, loggedColumns } from '../notifications/notifications.ts'
import { deleteStaleCopies, insertQuoteCopies } from '../quotes/quoteCopies.ts'
import { recomputeOrders } from './executedOrders.ts'
import { type ExceededBound, isWithinBounds, lockBounds, selectCounts } from './orderBounds.ts'
import { isPriceable, type PricingRow, type PricingRule, pricingColumns, selectPricing } from './pricing.ts'
import { canReplace, lockReplaced } from './replacement.ts'
import { canTakeOverRow, takenOver, takeoverAssignments } from './takeover.ts'

/** Properties that determine the text of the statement. */
export type InsertVariant = {
  isUnsigned: boolean
  isReplacement: boolean
  isBounded: boolean
  /** null: class and quote are the order's own */
  rule: PricingRule | null
}

/** The outcome of `insertAll`: whether the order is placed, its counts, and what priced it. */
export type InsertRow = { placed: boolean } & Partial<Record<ExceededBound['field'], number>> & Partial<PricingRow>

const columns = getTableColumns(orders)

/**
 * Statements of one placement, for one transaction in this order: `lock`, `lockOld` only for a replacement, and
 * `placing`, the order with all that belongs to it and what is stored about its UID.
 */
export const buildInsertStatements = (database: Database, values: Values, variant: InsertVariant) => ({
  lock: lockHolder(database, values),
  lockOld: lockOld(database, values),
  placing: [
    insertAll(database, values, variant),
    dropCopies(database, values),
    applyEvents(database, values),
    selectStored(database, values),
  ] as const,
})

const lockHolder = prepared((database, given) => lockBounds(database, given('holder')))

const lockOld = prepared((database, given) =>
  lockReplaced(database, given('chainId', orders.chainId), given('replaced', orders.uid)),
)

const dropCopies = prepared((database, given) => deleteStaleCopies(database, given('chainId'), given('uids')))

const applyEvents = prepared((database, given) =>
  recomputeOrders(database, given('chainId'), given('afterAll'), given('uids')),
)

const selectStored = prepared((database, given) =>
  database
    .select(statusColumns)
    .from(orders)
    .where(and(eq(orders.chainId, given('chainId', orders.chainId)), eq(orders.uid, given('uid', orders.uid)))),
)

const insertAll = prepared((database, given, variant: InsertVariant) => {
  const { isReplacement, isBounded, rule } = variant
  const uid = given('uid', orders.uid)
  const replaced = sql`${given('replaced', orders.uid)}::bytea`
  const own = (name: 'class' | 'quoteId') => sql`${given(name, columns[name])}::${sql.raw(columns[name].getSQLType())}`
  const orderClass = rule
    ? sql`case when (select is_market from priced) then 'market' else ${own('class')} end`
    : own('class')
  const bounded = {
    chainId: given('chainId', orders.chainId),
    uid,
    owner: given('owner', orders.owner),
    submittedBy: given('submittedBy', orders.submittedBy),
    class: orderClass,
    signingScheme: variant.isUnsigned ? ('presign' as const) : ('eip712' as const),
  }
  const bounds = {
    now: given('now'),
    limitOrders: given('limitOrders'),
    openOrders: given('openOrders'),
    unsignedOfClient: given('unsignedOfClient'),
    unsignedOrders: given('unsignedOrders'),
  }
  const condition = and(
    isReplacement
      ? canReplace(database, { ...bounded, uid: given('replaced', orders.uid), now: given('replacedAt') })
      : undefined,
    isBounded ? isWithinBounds(bounded, bounds, sql`counted`) : undefined,
    rule ? isPriceable(given) : undefined,
  )
  const priced: Record<string, SQL> = rule ? { class: orderClass, quoteId: sql`(select id from priced)` } : {}
  return database.execute<InsertRow>(sql`
    with ${rule ? sql`priced as materialized (${selectPricing(database, given, rule, variant.isUnsigned)}),` : sql``}
    counted as materialized (${isBounded ? selectCounts(bounded, bounds, replaced) : sql`select 1`}),
    inserted as (
      insert into ${orders} ${toColumnsAndValues(given, priced)}
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
      select app_data_hash, ${given('fullAppData')} from inserted where ${given('fullAppData')}::text is not null
      on conflict (hash) do update set created_at = now() where ${appData.createdAt} < now() - interval '1 day'
    ),
    cancelled as (
      update ${orders} as o set cancelled_at = now(), version = o.version + 1
      from inserted
      where o.chain_id = inserted.chain_id and o.uid = ${replaced}
      returning o.chain_id, o.uid
    ),
    cancellation as (
      insert into ${orderEvents} (chain_id, order_uid, key, label, data)
      select chain_id, uid, 'cancelled', 'cancelled', jsonb_build_object('replacedBy', ${given('uid')}::text) from cancelled
      on conflict do nothing
      returning ${loggedColumns}
    )
    ${isReplacement ? sql`, notified as (${insertNotifications(sql`cancellation`)})` : sql``}
    select exists (select 1 from inserted) as placed, counted.* ${rule ? sql`, ${pricingColumns(given)}` : sql``}
    from counted`)
})

/** `(columns) select values`, which accepts a condition; a column without a value gets its default. */
const toColumnsAndValues = (given: Given, priced: Record<string, SQL>): SQL => {
  const names = Object.values(columns).map(({ name }) => sql.identifier(name))
  const values = Object.entries<Column>(columns).map(([field, column]) => {
    if (priced[field]) return priced[field]
    // a parameter in a select list is text unless its type is given
    const value = sql`${given(field, column)}::${sql.raw(column.getSQLType())}`
    if (column.default === undefined) return value
    return sql`coalesce(${value}, ${is(column.default, SQL) ? column.default : sql.param(column.default, column)})`
  })
  return sql`(${sql.join(names, sql`, `)}) select ${sql.join(values, sql`, `)}`
}
