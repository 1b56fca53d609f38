import type { Network } from '../../networks/NetworksProvider.tsx'
import type { Order } from '../../order/loading/loadOrder.ts'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import { type CsvColumn, priceColumn, tokenColumns, toTokens } from './tokenColumns.ts'

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
  ['fee', ({ executedFee, executedFeeToken }, find) => toTokens(executedFee, find(executedFeeToken))],
  ['feeAtoms', ({ executedFee }) => executedFee],
  ['feeToken', ({ executedFeeToken }) => executedFeeToken],
  ['partiallyFillable', ({ partiallyFillable }) => String(partiallyFillable)],
  ['validTo', ({ validTo }) => new Date(validTo * 1_000).toISOString()],
  ['owner', ({ owner }) => owner],
  ['receiver', ({ receiver, owner }) => receiver ?? owner],
]
