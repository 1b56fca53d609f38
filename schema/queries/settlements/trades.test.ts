import { type Address, type Hex, pad, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSettlement, newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { maxOffset } from '../../../functions/orders/lookup/page.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectTrades } from './trades.ts'

const { chainId } = networks.sepolia
const owner: Address = '0x6000000000000000000000000000000000000006'
const all = { offset: 0, limit: 10 }
const transactionHash: Hex = pad('0xaa', { size: 32 })
const { database, close } = await startTestDatabase()

const insertTrade = async (seed: number, blockNumber: number, logIndex: number) => {
  const place = { chainId, transactionHash }
  const trade = { orderUid: orderUidOf(seed, owner), owner, sellAmount: 100n, buyAmount: 200n, feeAmount: 1n }
  const settlementLogIndex = logIndex + 5
  await database
    .insert(trades)
    .values({ ...newTrade(blockNumber, { ...trade, logIndex, settlementLogIndex }), ...place })
  const settlement = { logIndex: settlementLogIndex, auctionId: blockNumber * 100 + logIndex, solutionUid: 0 }
  await database.insert(settlements).values({ ...newSettlement(blockNumber, settlement), ...place })
}

beforeAll(async () => {
  await insertOrder(database, newOrder(1, { owner }))
  await insertOrder(database, newOrder(2, { owner }))
  await insertTrade(1, 9, 3)
  await insertTrade(1, 10, 2)
  await insertTrade(2, 10, 30)
  await insertTrade(3, 11, 1)
})
afterAll(close)

const placesOf = async (...[filter, page]: [Parameters<typeof selectTrades>[2], Parameters<typeof selectTrades>[3]]) =>
  (await selectTrades(database, chainId, filter, page)).map(({ trade }) => [trade.blockNumber, trade.logIndex])

test('lists trades of an owner and of an order newest first, without those of unknown orders', async () => {
  expect(await placesOf({ owner }, all)).toEqual([
    [10, 30],
    [10, 2],
    [9, 3],
  ])
  expect(await placesOf({ owner }, { offset: 1, limit: 1 })).toEqual([[10, 2]])
  expect(await placesOf({ orderUid: orderUidOf(1, owner) }, all)).toEqual([
    [10, 2],
    [9, 3],
  ])
  expect(await placesOf({ orderUid: orderUidOf(3, owner) }, all)).toEqual([])
  expect(await selectTrades(database, 1, { owner }, all)).toEqual([])
})

test("takes fee policies and fees from the trade's own auction, in the order of application", async () => {
  const place = { chainId, auctionId: 1002, orderUid: orderUidOf(1, owner) }
  const [token, other] = [toHex(1, { size: 20 }), toHex(2, { size: 20 })]
  const protocolFees = [
    { token, amount: '7' },
    { token: other, amount: '8' },
  ]
  await database
    .insert(executions)
    .values({ ...place, blockNumber: 10, executedFee: 9n, executedFeeToken: token, protocolFees })
  await database.insert(feePolicies).values([
    { ...place, applicationOrder: 1, kind: 'volume', volumeFactor: 0.0002 },
    { ...place, applicationOrder: 0, kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01 },
  ])
  const [newer, older] = await selectTrades(database, chainId, { orderUid: orderUidOf(1, owner) }, all)
  expect(newer?.protocolFees).toEqual(protocolFees)
  expect(newer?.feePolicies).toMatchObject([
    { kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01, volumeFactor: null },
    { kind: 'volume', volumeFactor: 0.0002 },
  ])
  expect(older).toMatchObject({ protocolFees: null, feePolicies: [], quote: null })
})

const page = { offset: 0, limit: 100 }
const deep = { offset: maxOffset, limit: 100 }
// each order is looked up once more before the page is cut
measureRows(selectTrades, (database, h) => selectTrades(database, h.chainId, { owner: h.busyOwner }, page), {
  reads: page.limit,
})
measureRows(selectTrades, (database, h) => selectTrades(database, h.chainId, { owner: h.onchainUser }, page), {
  reads: page.limit,
})
measureRows(selectTrades, (database, h) => selectTrades(database, h.chainId, { owner: h.busyOwner }, deep), {
  reads: maxOffset,
})
measureRows(selectTrades, (database, h) => selectTrades(database, h.chainId, { orderUid: h.uid }, page))
