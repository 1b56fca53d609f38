import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orders } from '../../tables/orders/orders.ts'

/** `reason` of the `created` event that logs a takeover: by a submission, by a placement on-chain. */
export const takenOver = 'unsigned_order_replaced'
export const placedOver = 'placed_onchain'

/** Nothing authorises the row of an existing order: `presign` without a pre-signature. The owner has not ended it either. */
const isUnauthorised = sql`${orders.signingScheme} = 'presign' and not ${orders.presigned} and ${orders.jitBlock} is null
  and ${orders.cancelledAt} is null and not ${orders.invalidated}`

/**
 * A submission with the UID of an existing row takes that row over: a signed one when nothing authorises the row, any one when a
 * reorganisation undid the placement behind the row. An order that its owner cancelled stays cancelled. For `on conflict`.
 */
export const canTakeOver = sql`
  (${isUnauthorised} and excluded.signing_scheme <> 'presign')
  or (${orders.placementError} = 'reorged' and ${orders.jitBlock} is null and ${orders.cancelledAt} is null
    and not ${orders.invalidated})`

/** A placement of the row's order for which this holds. */
const isPlacedBy = (condition: SQL): SQL => sql`exists (
  select 1 from ${orderPlacements}
  where ${orderPlacements.chainId} = ${orders.chainId} and ${orderPlacements.orderUid} = ${orders.uid} and ${condition})`

/**
 * A placement takes over a row that came over the API: always when its contract owns the order; when its sender does, as long as
 * nothing authorises the row. A placement for another owner proves nothing about that owner. For `on conflict`.
 */
export const canPlaceOver = sql`
  ${orders.onchainUser} is null and (
    ${isPlacedBy(sql`${orderPlacements.contract} = ${orders.owner}`)}
    or (${isUnauthorised} and ${isPlacedBy(sql`${orderPlacements.sender} = ${orders.owner}`)}))`

const {
  chainId: _chainId,
  uid: _uid,
  createdAt: _createdAt,
  version: _version,
  ...replacedColumns
} = getTableColumns(orders)

/** What recomputing an order's events sets, so that a takeover leaves it as it is. */
const fromEvents = new Set<string>([
  'executedSellAmount',
  'executedBuyAmount',
  'executedFeeAmount',
  'executedFee',
  'presigned',
  'invalidated',
  'cancelledAt',
  'refundTransactionHash',
  'jitBlock',
])

/**
 * The assignments of a takeover: everything that a submission says; columns that it leaves out get their default. One raw text, since
 * it is part of every insert.
 */
export const takeoverAssignments: SQL = sql.raw(
  [
    ...Object.entries(replacedColumns)
      .filter(([key]) => !fromEvents.has(key))
      .map(([, { name }]) => `${name} = excluded.${name}`),
    `version = ${getTableName(orders)}.version + 1`,
  ].join(', '),
)
