import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filledOrder } from '#test/helpers/database/filledOrder.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries, auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { feePolicies } from '../../tables/auctions/feePolicies.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectDebugReport } from './debugReport.ts'

const chainId = 11_155_111
const orderUid = filledOrder.uid
const otherUid = `0x${'ee'.repeat(56)}` as const
const { sellToken, buyToken, owner } = filledOrder
const unrelatedToken = `0x${'0c'.repeat(20)}` as const
const solver = `0x${'5a'.repeat(20)}` as const
const transactionHash = `0x${'cc'.repeat(32)}` as const
const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 10, 0, second))
const timeOf = (second: number) => `2026-11-01T10:00:0${second}.000000Z`

/** Auction 1 proposed the order, 2 had only another order, 3 executed it without a stored solution, 4 filled it. */
const auctionIds = [1, 2, 3, 4]

const { database, close } = await startTestDatabase()

beforeAll(async () => {
  const { uid, fullAppData: _document, quote: _quote, ...order } = filledOrder
  await database.insert(orders).values([
    { ...order, chainId, uid },
    { ...order, chainId, uid: otherUid, sellToken: unrelatedToken },
    { ...order, chainId: 1, uid },
  ])
  await database.insert(auctionEntries).values([
    { chainId, orderUid, enteredAuctionId: 3, leftAuctionId: 5 },
    { chainId, orderUid, enteredAuctionId: 8, leftAuctionId: 9 },
    { chainId, orderUid: otherUid, enteredAuctionId: 1 },
    { chainId: 1, orderUid, enteredAuctionId: 2 },
  ])
  await database.insert(currentAuctions).values([
    { chainId, id: 12, block: 900, prices: { [sellToken]: '70', [unrelatedToken]: '7' } },
    { chainId: 1, id: 13, block: 900, prices: { [sellToken]: '71' } },
  ])
  const event = { chainId, orderUid }
  await database.insert(orderEvents).values([
    { ...event, key: 'traded', label: 'traded', createdAt: at(9) },
    { ...event, key: 'created', label: 'created', createdAt: at(0) },
    { ...event, key: 'ready', label: 'ready', createdAt: at(5) },
    {
      ...event,
      key: 'invalid',
      label: 'invalid',
      reason: 'insufficient_balance',
      createdAt: at(5),
      data: { needed: '7' },
    },
    { ...event, chainId: 1, key: 'cancelled', label: 'cancelled', createdAt: at(1) },
    { ...event, orderUid: otherUid, key: 'cancelled', label: 'cancelled', createdAt: at(1) },
  ])
  await database.insert(auctions).values(
    auctionIds.flatMap((id) =>
      [chainId, 1].map((chainId) => ({
        chainId,
        id,
        block: 100 * id,
        deadlineBlock: 100 * id + 5,
        prices: { [sellToken]: `${id}0`, [unrelatedToken]: '7', ...(id === 4 ? { [buyToken]: '99' } : {}) },
      })),
    ),
  )
  const solution = { chainId, solver, solutionId: 77, isWinner: false, filteredOut: false, score: 5n }
  await database.insert(solutions).values([
    { ...solution, auctionId: 1, uid: 0 },
    { ...solution, auctionId: 1, uid: 1, filteredOut: true },
    { ...solution, auctionId: 1, uid: 2 },
    { ...solution, auctionId: 2, uid: 0 },
    { ...solution, auctionId: 4, uid: 0, isWinner: true, score: 2n ** 200n },
  ])
  const amounts = { side: 'sell', sellToken, buyToken, limitSell: 1000n, limitBuy: 2000n } as const
  const inSolution = { ...amounts, chainId, orderUid, executedSell: 1000n, executedBuy: 2100n }
  await database.insert(solutionOrders).values([
    { ...inSolution, auctionId: 1, solutionUid: 1, executedBuy: 2050n },
    { ...inSolution, auctionId: 1, solutionUid: 0 },
    { ...inSolution, auctionId: 1, solutionUid: 2, orderUid: otherUid },
    { ...inSolution, auctionId: 2, solutionUid: 0, orderUid: otherUid },
    { ...inSolution, auctionId: 4, solutionUid: 0 },
  ])
  const execution = { chainId, orderUid, executedFee: 7n, executedFeeToken: sellToken, protocolFees: [] }
  await database.insert(executions).values([
    { ...execution, auctionId: 4, blockNumber: 403, protocolFees: [{ token: buyToken, amount: '3' }] },
    { ...execution, auctionId: 3, blockNumber: 303 },
    { ...execution, auctionId: 4, blockNumber: 403, orderUid: otherUid },
  ])
  const attempt = { chainId, solver, startedAt: at(7), startBlock: 401, deadlineBlock: 405 }
  await database.insert(settlementAttempts).values([
    { ...attempt, auctionId: 4, solutionUid: 1 },
    { ...attempt, auctionId: 4, solutionUid: 0, endedAt: at(8), endBlock: 403, outcome: 'success' },
    { ...attempt, auctionId: 2, solutionUid: 0 },
  ])
  const policy = { chainId, orderUid, auctionId: 4 }
  await database.insert(feePolicies).values([
    { ...policy, applicationOrder: 1, kind: 'volume', volumeFactor: 0.0002 },
    { ...policy, applicationOrder: 0, kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01 },
    { ...policy, applicationOrder: 0, orderUid: otherUid, kind: 'volume', volumeFactor: 1 },
  ])
  const settlement = { chainId, transactionHash, solver, gasUsed: 1n, effectiveGasPrice: 1n }
  await database.insert(settlements).values([
    { ...settlement, blockNumber: 403, logIndex: 4, auctionId: 4, solutionUid: 0 },
    { ...settlement, blockNumber: 403, logIndex: 9, auctionId: 8, solutionUid: 0 },
    { ...settlement, blockNumber: 404, logIndex: 4 },
  ])
  const trade = { chainId, transactionHash, orderUid, owner, sellToken, buyToken, buyAmount: 5n, feeAmount: 1n }
  await database.insert(trades).values([
    { ...trade, blockNumber: 403, logIndex: 2, sellAmount: 10n, settlementLogIndex: 4 },
    { ...trade, blockNumber: 403, logIndex: 3, sellAmount: 11n, settlementLogIndex: 4 },
    { ...trade, blockNumber: 404, logIndex: 1, sellAmount: 12n, settlementLogIndex: 4 },
    { ...trade, blockNumber: 405, logIndex: 1, sellAmount: 13n, settlementLogIndex: 4, orderUid: otherUid },
  ])
})

afterAll(close)

const select = async (uid: Hex) => {
  const report = await selectDebugReport(database, chainId, uid)
  if (!report) throw new Error(`no order ${uid}`)
  return report
}

test('collects every event of the order and none of other orders or chains', async () => {
  const { order, facts } = await select(orderUid)
  expect(order).toMatchObject({ uid: orderUid, sellToken, owner })
  const event = { id: expect.any(Number), reason: null, data: null, archivePart: null }
  expect(facts.events).toEqual([
    { ...event, key: 'created', label: 'created', createdAt: at(0), time: timeOf(0) },
    { ...event, key: 'ready', label: 'ready', createdAt: at(5), time: timeOf(5) },
    {
      ...event,
      key: 'invalid',
      label: 'invalid',
      reason: 'insufficient_balance',
      createdAt: at(5),
      time: timeOf(5),
      data: { needed: '7' },
    },
    { ...event, key: 'traded', label: 'traded', createdAt: at(9), time: timeOf(9) },
  ])
  expect(facts.auctions).toEqual([
    { id: 1, block: 100, deadlineBlock: 105, archiveKey: null, sellTokenPrice: '10', buyTokenPrice: null },
    { id: 3, block: 300, deadlineBlock: 305, archiveKey: null, sellTokenPrice: '30', buyTokenPrice: null },
    { id: 4, block: 400, deadlineBlock: 405, archiveKey: null, sellTokenPrice: '40', buyTokenPrice: '99' },
  ])
  const solution = { solver, isWinner: false, filteredOut: false, score: 5n, executedSell: 1000n, executedBuy: 2100n }
  expect(facts.solutions).toEqual([
    { ...solution, auctionId: 1, uid: 0 },
    { ...solution, auctionId: 1, uid: 1, filteredOut: true, executedBuy: 2050n },
    { ...solution, auctionId: 4, uid: 0, isWinner: true, score: 2n ** 200n },
  ])
  const execution = { executedFee: 7n, executedFeeToken: sellToken, protocolFees: [] }
  expect(facts.executions).toHaveLength(2)
  expect(facts.executions).toContainEqual({ ...execution, auctionId: 3, blockNumber: 303 })
  expect(facts.executions).toContainEqual({
    ...execution,
    auctionId: 4,
    blockNumber: 403,
    protocolFees: [{ token: buyToken, amount: '3' }],
  })
  const attempt = {
    auctionId: 4,
    solver,
    startedAt: at(7),
    startBlock: 401,
    deadlineBlock: 405,
    blame: null,
    mismatch: null,
  }
  expect(facts.attempts).toEqual([
    { ...attempt, solutionUid: 0, endedAt: at(8), endBlock: 403, outcome: 'success' },
    { ...attempt, solutionUid: 1, endedAt: null, endBlock: null, outcome: null },
  ])
  expect(facts.feePolicies).toMatchObject([
    { auctionId: 4, kind: 'surplus', surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01, volumeFactor: null },
    { auctionId: 4, kind: 'volume', surplusFactor: null, volumeFactor: 0.0002 },
  ])
  const settled = { solver: `0x${'5a'.repeat(20)}`, gasUsed: 1n, effectiveGasPrice: 1n }
  const trade = { ...settled, transactionHash, buyAmount: 5n, feeAmount: 1n }
  expect(facts.trades).toEqual([
    { ...trade, blockNumber: 404, logIndex: 1, sellAmount: 12n, auctionId: null },
    { ...trade, blockNumber: 403, logIndex: 3, sellAmount: 11n, auctionId: 4 },
    { ...trade, blockNumber: 403, logIndex: 2, sellAmount: 10n, auctionId: 4 },
  ])
})

test("lists the auctions with the order and the newest auction's prices of its tokens", async () => {
  const { facts } = await select(orderUid)
  expect(facts.membership).toEqual({ first: 3, last: 8, isOpen: false })
  expect(facts.currentAuction).toEqual({ id: 12, sellTokenPrice: '70', buyTokenPrice: null })
  expect((await select(otherUid)).facts.membership).toEqual({ first: 1, last: 12, isOpen: true })
})

test('returns nothing for an unknown order', async () => {
  expect(await selectDebugReport(database, chainId, `0x${'00'.repeat(56)}`)).toBeUndefined()
})

test('returns at most the 100 newest trades', async () => {
  const { uid } = newOrder(9)
  await insertOrder(database, newOrder(9))
  const rows = Array.from({ length: 101 }, (_, index) => newTrade(1_000 + index, { orderUid: uid }))
  await database.insert(trades).values(rows.map((row) => ({ chainId, ...row })))
  const { facts } = await select(uid)
  expect(facts.trades.map(({ blockNumber }) => blockNumber)).toEqual(
    Array.from({ length: 100 }, (_, index) => 1100 - index),
  )
})

measureRows(selectDebugReport, (database, h) => selectDebugReport(database, h.chainId, h.uid))
measureRows(selectDebugReport, (database, h) => selectDebugReport(database, h.chainId, h.archivedUid))
