import { expect, test } from 'vitest'
import type { Network } from '../../networks/NetworksProvider.tsx'
import { at, sampleOrder, usdc, weth } from '../../testing/sampleOrder.ts'
import { buildOrderColumns } from './orderColumns.ts'
import { toCsvRows } from './toCsvRows.ts'
import { type AccountTrade, buildTradeColumns } from './tradeColumns.ts'

const network = { wrappedNative: weth, ethFlow: `0x${'ef'.repeat(20)}` } as unknown as Network
const orderColumns = buildOrderColumns(network)
const tradeColumns = buildTradeColumns(network)

const tokens: Record<string, { symbol: string; decimals: number }> = {
  [weth]: { symbol: 'WETH', decimals: 18 },
  [usdc]: { symbol: '=USDC', decimals: 6 },
}
const find = (address: string) => tokens[address]
const toRecord = (columns: readonly (readonly [string, unknown])[], cells: string[] | undefined) =>
  Object.fromEntries(columns.map(([name], place) => [name, cells?.[place]]))

test('an order has exact amounts and its times in ISO 8601', () => {
  const order = sampleOrder({
    ...{ sellAmount: '1000000000000000001', executedSellAmount: '500000000', executedBuyAmount: '1' },
    ...{ executedFee: '3', executedFeeAmount: '4', executedFeeToken: weth },
  })
  expect(toRecord(orderColumns, toCsvRows(orderColumns, [order], find)[0])).toMatchObject({
    ...{ created: at(0), uid: order.uid, status: order.status, receiver: order.owner },
    ...{ sellSymbol: 'WETH', sellAmount: '1.000000000000000001', sellAmountAtoms: '1000000000000000001' },
    ...{ buyAmount: '2500', executedBuyAmount: '0.000001', validTo: at(1_800) },
    ...{ price: '2000', fee: '0.000000000000000007', feeAtoms: '7', feeToken: weth },
  })
})

test('amounts of a token without known decimals are in atoms only', () => {
  const [cells] = toCsvRows(orderColumns, [sampleOrder()], () => undefined)
  expect(toRecord(orderColumns, cells)).toMatchObject({ sellAmount: '', sellAmountAtoms: '1000000000000000000' })
})

test('a trade has unknown values as empty cells', () => {
  const trade: AccountTrade = {
    ...{ blockNumber: 7, logIndex: 1, time: at(3), txHash: '0x22', orderUid: '0x11', owner: '0xdd', solver: '0xcc' },
    ...{ auctionId: null, sellToken: weth, buyToken: usdc, sellAmount: '5', buyAmount: '1500000' },
    ...{ volume: null, surplus: '-3', volumeUsd: null, surplusUsd: -0.5, fee: '2', feeUsd: 0.1 },
  }
  expect(toRecord(tradeColumns, toCsvRows(tradeColumns, [trade], find)[0])).toMatchObject({
    ...{ time: at(3), block: '7', auction: '', sellAmount: '0.000000000000000005', buyAmount: '1.5' },
    ...{ volumeWei: '', surplusWei: '-3', volumeUsd: '', surplusUsd: '-0.50', price: '300000000000000000' },
    ...{ fee: '0.000000000000000002', feeAtoms: '2', feeToken: weth, feeUsd: '0.10' },
  })
})
