import type { Order } from '../../order/loading/loadOrder.ts'
import { type CsvColumn, tokenColumns } from './tokenColumns.ts'

/** Columns of the orders of an account. */
export const orderColumns: readonly CsvColumn<Order>[] = [
  ['created', ({ creationDate }) => new Date(creationDate).toISOString()],
  ['uid', ({ uid }) => uid],
  ['status', ({ status }) => status],
  ['kind', ({ kind }) => kind],
  ...tokenColumns<Order>('sell', ({ sellToken }) => sellToken, [
    ['sellAmount', ({ sellAmount }) => sellAmount],
    ['executedSellAmount', ({ executedSellAmount }) => executedSellAmount],
  ]),
  ...tokenColumns<Order>('buy', ({ buyToken }) => buyToken, [
    ['buyAmount', ({ buyAmount }) => buyAmount],
    ['executedBuyAmount', ({ executedBuyAmount }) => executedBuyAmount],
  ]),
  ['partiallyFillable', ({ partiallyFillable }) => String(partiallyFillable)],
  ['validTo', ({ validTo }) => new Date(validTo * 1_000).toISOString()],
  ['owner', ({ owner }) => owner],
  ['receiver', ({ receiver, owner }) => receiver ?? owner],
]
