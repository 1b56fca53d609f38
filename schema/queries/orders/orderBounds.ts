import { type Placeholder, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Database } from '../../client.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { isOpenOfOwner, isUnsigned, orders } from '../../tables/orders/orders.ts'
import { type OrSql, toParam } from '../fragments/toParam.ts'

/** Limits of open orders on one network. */
export type OrderBounds = {
  /** Unix seconds */
  now: number
  /** orders of one owner outside the market */
  limitOrders: number
  /** orders of one owner, market orders included */
  openOrders: number
  /** unsigned orders of one client */
  unsignedOfClient: number
  /** unsigned orders of all clients */
  unsignedOrders: number
}

/** The bound that an order would exceed. */
export type ExceededBound = { field: Exclude<keyof OrderBounds, 'now'>; limit: number; open: number }

type BoundedOrder = Pick<
  typeof orders.$inferInsert,
  'chainId' | 'uid' | 'owner' | 'class' | 'signingScheme' | 'submittedBy'
>

/** Seconds after `validTo` during which an unsigned order still counts, so that short-lived orders are limited too. */
const unsignedKeptSeconds = 86_400

/** The holder of the bounds of an order: its owner, or the client that submits it without a signature. */
export const toHolder = ({ chainId, owner, signingScheme, submittedBy }: BoundedOrder): string =>
  `orders ${chainId} ${signingScheme === 'presign' ? `client ${submittedBy}` : `owner ${owner}`}`

/**
 * Serialises submissions of one owner, or of one client without signatures: until the end of the transaction, no other
 * submission of the same owner or client is counted or placed.
 * @param holder `toHolder`
 */
export const lockBounds = (database: Database, holder: string | Placeholder) =>
  database.execute(sql`select pg_advisory_xact_lock(hashtextextended(${holder}, 0))`)

/** Values or placeholders of a prepared statement; the signing scheme decides which bounds apply. */
type Counted = OrSql<Omit<BoundedOrder, 'signingScheme'>> & Pick<BoundedOrder, 'signingScheme'>

/**
 * One row with the counts to be limited: `limitOrders` and `openOrders` of the owner of a signed order,
 * `unsignedOfClient` and `unsignedOrders` for an unsigned one. Each count reads at most as many rows as its limit; the
 * order of an index prevents Postgres from scanning the table.
 * @param replaced the order to be replaced; it does not count
 */
export const selectCounts = (order: Counted, bounds: OrSql<OrderBounds>, replaced: SQL): SQL => {
  const { chainId, owner, submittedBy } = order
  if (order.signingScheme === 'presign') {
    const count = (condition: SQL, limit: number | SQLWrapper) => sql`(select count(*)::integer from (
      select 1 from ${orders} where ${orders.chainId} = ${chainId} and ${isUnsigned(orders)}
        and ${orders.validTo} >= ${bounds.now}::bigint - ${sql.raw(String(unsignedKeptSeconds))} ${condition}
      order by ${orders.validTo} limit ${limit}) as unsigned)`
    const ofClient = sql`and ${orders.submittedBy} = ${toParam(submittedBy, orders.submittedBy)}`
    return sql`select ${count(ofClient, bounds.unsignedOfClient)} as "unsignedOfClient",
      ${count(sql``, bounds.unsignedOrders)} as "unsignedOrders"`
  }
  return sql`
    select count(*)::integer as "openOrders", count(*) filter (where class = 'limit')::integer as "limitOrders"
    from (
      select ${orders.class} from ${orders}
      where ${orders.chainId} = ${chainId} and ${orders.owner} = ${toParam(owner, orders.owner)}
        and ${isOpenOfOwner(orders)} and ${orders.validTo} >= ${bounds.now} and ${orders.uid} is distinct from ${replaced}
      order by ${orders.validTo} limit greatest(${bounds.openOrders}::bigint, ${bounds.limitOrders}::bigint)
    ) as open`
}

/** The order is within the limits for `counts`. An order already presigned on-chain does not count as unsigned. */
export const isWithinBounds = (order: Counted, bounds: OrSql<OrderBounds>, counts: SQL): SQL =>
  order.signingScheme === 'presign'
    ? sql`exists (select 1 from ${counts}
      where "unsignedOfClient" < ${bounds.unsignedOfClient} and "unsignedOrders" < ${bounds.unsignedOrders}
      or (select signed from ${presignatures}
        where ${presignatures.chainId} = ${order.chainId}
          and ${presignatures.orderUid} = ${toParam(order.uid, presignatures.orderUid)}
        order by block_number desc nulls last, log_index desc nulls last limit 1))`
    : sql`exists (select 1 from ${counts} where "openOrders" < ${bounds.openOrders}
      and (${order.class} <> 'limit' or "limitOrders" < ${bounds.limitOrders}))`

/** The first limit that the counts have reached. */
export const findExceeded = (
  order: BoundedOrder,
  bounds: OrderBounds,
  counts: Partial<Record<ExceededBound['field'], number>>,
): ExceededBound | null => {
  const counted = ['limitOrders', 'openOrders', 'unsignedOfClient', 'unsignedOrders'] as const
  const field = counted.find((name) => {
    if (name === 'limitOrders' && order.class !== 'limit') return false
    return (counts[name] ?? -1) >= bounds[name]
  })
  return field ? { field, limit: bounds[field], open: counts[field] ?? 0 } : null
}
