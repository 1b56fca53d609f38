import type { components } from '../../api/openapi.d.ts'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { toPaidToken } from '../../tokens/toPaidToken.ts'
import { type CsvColumn, feeColumns, priceColumn, tokenColumns } from './tokenColumns.ts'

export type AccountTrade = components['schemas']['NetworkTrade']

/** Columns of the trades of an account. */
export const buildTradeColumns = (network: Network): readonly CsvColumn<AccountTrade>[] => [
  ['time', ({ time }) => new Date(time).toISOString()],
  ['orderUid', ({ orderUid }) => orderUid],
  ['transaction', ({ txHash }) => txHash],
  ['block', ({ blockNumber }) => String(blockNumber)],
  ['auction', ({ auctionId }) => (auctionId === null ? '' : String(auctionId))],
  ...tokenColumns<AccountTrade>('sell', (row) => toPaidToken(network, row), [
    ['sellAmount', ({ sellAmount }) => sellAmount],
  ]),
  ...tokenColumns<AccountTrade>('buy', ({ buyToken }) => buyToken, [['buyAmount', ({ buyAmount }) => buyAmount]]),
  priceColumn<AccountTrade>(
    (row) => toPaidToken(network, row),
    ({ sellAmount, buyAmount }) => [sellAmount, buyAmount],
  ),
  ...feeColumns<AccountTrade>(
    (row) => toPaidToken(network, row),
    ({ fee }) => fee,
  ),
  ['feeUsd', ({ feeUsd }) => formatCents(feeUsd)],
  ['volumeUsd', ({ volumeUsd }) => formatCents(volumeUsd)],
  ['surplusUsd', ({ surplusUsd }) => formatCents(surplusUsd)],
  ['volumeWei', ({ volume }) => volume ?? ''],
  ['surplusWei', ({ surplus }) => surplus ?? ''],
  ['solver', ({ solver }) => solver],
  ['owner', ({ owner }) => owner],
]

const formatCents = (usd: number | null): string => usd?.toFixed(2) ?? ''
