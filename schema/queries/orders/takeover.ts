import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import { orderPlacements } from '../../tables/chain/orderPlacements.ts'
import { orders } from '../../tables/orders/orders.ts'

/** `reason` of the `created` event that logs a takeover: by a submission, by a placement on-chain. */
export const takenOver = 'unsigned_order_replaced'
export const placedOver = 'placed_onchain'

/** The row of an existing order is unauthorised: `presign` without a pre-signature, and its owner has not ended it. */
const isUnauthorised = sql`${orders.signingScheme} = 'presign' and not ${orders.presigned} and ${orders.jitBlock} is null
  and ${orders.cancelledAt} is null and not ${orders.invalidated}`

/**
 * A submission with the UID of an existing row takes that row over: a signed submission when the row is unauthorised,
 * any submission when a reorganisation undid the row's placement. An order cancelled by its owner stays cancelled. For
 * `on conflict`.
 */
export const canTakeOverRow = sql`
  (${isUnauthorised} and excluded.signing_scheme <> 'presign')
  or (${orders.placementError} = 'reorged' and ${orders.jitBlock} is null and ${orders.cancelledAt} is null
    and not ${orders.invalidated})`

/** Condition for a placement of the row's order. */
const isPlacedBy = (condition: SQL): SQL => sql`exists (
  select 1 from ${orderPlacements}
  where ${orderPlacements.chainId} = ${orders.chainId} and ${orderPlacements.orderUid} = ${orders.uid} and ${condition})`

/**
 * A placement takes over a row that came over the API: always when its contract owns the order; when its sender owns
 * it, while the row is unauthorised. A placement for another owner proves nothing about that owner. For `on conflict`.
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

/** Columns that recomputation from events sets; a takeover leaves them unchanged. */
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
 * The assignments of a takeover: all columns of a submission; missing columns get their default. One raw text, since it
 * is part of every insert.
 */
export const takeoverAssignments: SQL = sql.raw(
  [
    ...Object.entries(replacedColumns)
      .filter(([key]) => !fromEvents.has(key))
      .map(([, { name }]) => `${name} = excluded.${name}`),
    `version = ${getTableName(orders)}.version + 1`,
  ].join(', '),
)
