import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../../order/loading/loadOrder.ts'
import { computeFees } from '../../order/prices/computeFees.ts'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import { type CsvColumn, feeColumns, priceColumn, tokenColumns } from './tokenColumns.ts'

/** Columns of the orders of an account. */
export const buildOrderColumns = (network: Network): readonly CsvColumn<Order>[] => [
  ['created', ({ creationDate }) => new Date(creationDate).toISOString()],
  ['uid', ({ uid }) => uid],
  ['status', ({ status }) => status],
  ['kind', ({ kind }) => kind],
  ...tokenColumns<Order>('sell', (row) => toPaidToken(network, row), [
    ['sellAmount', ({ sellAmount }) => sellAmount],
    ['executedSellAmount', ({ executedSellAmount }) => executedSellAmount],
  ]),
  ...tokenColumns<Order>('buy', ({ buyToken }) => buyToken, [
    ['buyAmount', ({ buyAmount }) => buyAmount],
    ['executedBuyAmount', ({ executedBuyAmount }) => executedBuyAmount],
  ]),
  priceColumn<Order>(
    (row) => toPaidToken(network, row),
    ({ executedSellAmount, executedBuyAmount }) => [executedSellAmount, executedBuyAmount],
  ),
  ...feeColumns<Order>(
    (row) => toPaidToken(network, row),
    (row) => String(computeFees(row, []).total),
  ),
  ['partiallyFillable', ({ partiallyFillable }) => String(partiallyFillable)],
  ['validTo', ({ validTo }) => new Date(validTo * 1_000).toISOString()],
  ['owner', ({ owner }) => owner],
  ['receiver', ({ receiver, owner }) => receiver ?? owner],
]
