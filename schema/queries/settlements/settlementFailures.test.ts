import { eq } from 'drizzle-orm'
import type { Address, Hex } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSettlement, newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { orders } from '../../tables/orders/orders.ts'
import { type Blame, settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { settlementFailures } from '../../tables/settlements/settlementFailures.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { type ChainUpdate, noEvents } from '../chain/chainUpdate.ts'
import { updateChain } from '../chain/updateChain.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectSettlementFailures } from './selectSettlementFailures.ts'
import { closeFailedAttempt, closeOverdueAttempts } from './settlementAttempts.ts'
import { closeAttemptsAsFailed, deleteResolvedFailures, lowerFailureBlocks, recordBlame } from './settlementFailures.ts'

const [ours, theirs] = [100, 11_155_111]
const solver: Address = `0x${'a1'.repeat(20)}`
const rival: Address = `0x${'a2'.repeat(20)}`
const [first, second] = [newOrder(1), newOrder(2)]
const validTo = 2_000_000_000
const { database, close } = await startTestDatabase()
afterAll(close)

const blameOf = (party: Blame['party'], ...orders: Hex[]): Blame => ({ party, orders, reason: 'x' })
const blameAll = blameOf('orders', first.uid, second.uid)
const solverFault = blameOf('solver')
const attribute = (auctionId: number, blame: Blame) =>
  recordBlame(database, { chainId: ours, auctionId, solutionUid: 0 }, blame)

/** Two chains hold the same orders and the same attempts; each statement concerns `ours`. */
beforeEach(async () => {
  await emptyDatabase(database)
  for (const chainId of [ours, theirs]) {
    for (const order of [first, second]) {
      await insertOrder(database, { ...order, chainId, validTo, partiallyFillable: true })
    }
    await attempt(chainId, 1, solver, [first.uid, second.uid])
  }
  await closeFailedAttempt(
    database,
    { chainId: theirs, auctionId: 1, solutionUid: 0 },
    { cause: 'reverted', block: 12, blame: blameAll },
  )
})

const attempt = async (chainId: number, auctionId: number, by: Address, uids: Hex[], startBlock = 10) => {
  const { sellToken, buyToken } = first
  const terms = {
    side: 'sell',
    sellToken,
    buyToken,
    limitSell: 1n,
    limitBuy: 1n,
    executedSell: 1n,
    executedBuy: 1n,
  } as const
  const key = { chainId, auctionId, solutionUid: 0 }
  await database.insert(settlementAttempts).values({ ...key, solver: by, startBlock, deadlineBlock: startBlock + 5 })
  await database.insert(solutionOrders).values(uids.map((orderUid) => ({ ...key, orderUid, ...terms })))
}
/** A failure for which its orders are to blame. */
const report = (auctionId: number, block: number, blame: Blame = blameAll) =>
  closeFailedAttempt(
    database,
    { chainId: ours, auctionId, solutionUid: 0 },
    { cause: 'FailedToSubmit: reverted', block, blame },
  )
/** Failures by chain: order, solver, failures, reverts, last block, block of the last revert. */
const failuresOf = async (chainId: number) =>
  (await selectSettlementFailures(database, chainId)).map((row) => [
    row.orderUid === first.uid ? 'first' : 'second',
    row.solver === solver ? 'solver' : 'rival',
    row.failures,
    row.reverts,
    row.lastBlock,
    row.lastRevertBlock,
  ])
const allOf = (chainId: number) =>
  database
    .select()
    .from(settlementFailures)
    .where(eq(settlementFailures.chainId, chainId))
    .orderBy(settlementFailures.orderUid)

/** Runs a step on `ours` and expects the other chain to stay unchanged. */
const run = async (step: () => Promise<unknown>) => {
  const attempts = () => database.select().from(settlementAttempts).where(eq(settlementAttempts.chainId, theirs))
  const before = [await allOf(theirs), await attempts()]
  await step()
  expect([await allOf(theirs), await attempts()]).toEqual(before)
}

const block = (number: number, seconds = 1_900_000_000) => ({
  number,
  hash: `0x${number.toString(16).padStart(64, '0')}` as Hex,
  timestamp: new Date((seconds + number) * 1_000),
})
const update = (fromBlock: number, changes: Partial<ChainUpdate> = {}) =>
  updateChain(database, ours, {
    ...noEvents,
    fromBlock,
    toBlock: fromBlock,
    blocks: [block(fromBlock)],
    undoFrom: null,
    ...changes,
  })
const trade = (blockNumber: number, orderUid: Hex) => newTrade(blockNumber, { orderUid })
const settlement = (blockNumber: number, auctionId: number) =>
  newSettlement(blockNumber, { solver, auctionId, solutionUid: 0 })

test('an attempt counts one failure for each of its orders, however often it is closed', async () => {
  await run(() => report(1, 12))
  await run(() => report(1, 13))
  await run(() => closeOverdueAttempts(database, ours, 99))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 1, 1, 12, 12],
    ['second', 'solver', 1, 1, 12, 12],
  ])
  await attempt(ours, 2, solver, [first.uid], 20)
  await attempt(ours, 3, rival, [second.uid], 20)
  await run(() => report(2, 22))
  await run(() => closeOverdueAttempts(database, ours, 25))
  expect(await failuresOf(ours)).toHaveLength(2)
  await run(() => attribute(3, solverFault))
  await run(() => attribute(3, blameAll))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 2, 2, 22, 22],
    ['second', 'solver', 1, 1, 12, 12],
    ['second', 'rival', 1, 0, 25, null],
  ])
})

test('counts a failure for all of its orders, and as a revert for orders that wait and by its weight for the solver', async () => {
  await run(() => report(1, 12, blameOf('orders', second.uid)))
  await attempt(ours, 2, rival, [first.uid, second.uid], 20)
  await run(() => report(2, 22, solverFault))
  await attempt(ours, 3, rival, [first.uid], 30)
  await run(() => report(3, 31, blameOf('none')))
  await attempt(ours, 4, rival, [first.uid], 40)
  await run(() => report(4, 41, { ...blameOf('none'), sentNothing: true }))
  for (const [auctionId, movedBlocks] of [
    [5, 1],
    [6, 2],
    [7, 9],
  ] as const) {
    await attempt(ours, auctionId, rival, [second.uid], 10 * auctionId)
    await run(() => report(auctionId, 10 * auctionId + 1, { ...blameOf('none'), movedBlocks }))
  }
  const rows = await selectSettlementFailures(database, ours)
  expect(rows.map(({ failures, reverts, faults }) => [failures, reverts, faults])).toEqual([
    [1, 0, 0],
    [3, 0, 12 + 4 + 12],
    [1, 1, 0],
    [4, 0, 12 + 1 + 2 + 4],
  ])
})

test('the block of a failure lies between the start and the deadline of its attempt', async () => {
  await attempt(ours, 2, rival, [first.uid], 20)
  await run(() => report(1, 1_000_000_000))
  await run(() => report(2, 3))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 1, 1, 15, 15],
    ['first', 'rival', 1, 1, 20, 20],
    ['second', 'solver', 1, 1, 15, 15],
  ])
})

test('a solution with a just-in-time order counts only orders of the book', async () => {
  await database.update(orders).set({ jitBlock: 3 }).where(eq(orders.uid, second.uid))
  await attempt(ours, 2, rival, [newOrder(9).uid, first.uid], 10)
  await run(() => report(1, 12))
  await run(() => report(2, 12))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 1, 1, 12, 12],
    ['first', 'rival', 1, 1, 12, 12],
  ])
})

test('a fill deletes the failures before it, once, and none after it', async () => {
  await report(1, 12)
  await run(() => update(14, { trades: [trade(14, first.uid)] }))
  expect(await failuresOf(ours)).toEqual([['second', 'solver', 1, 1, 12, 12]])
  await attempt(ours, 2, solver, [first.uid], 16)
  await report(2, 17)
  await run(() => update(18))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 1, 1, 17, 17],
    ['second', 'solver', 1, 1, 12, 12],
  ])
})

test('failures of an order that can no longer trade are deleted after 256 blocks', async () => {
  await report(1, 12)
  await database.update(orders).set({ validTo: 1_900_000_000 }).where(eq(orders.uid, first.uid))
  await database.update(orders).set({ cancelledAt: new Date() }).where(eq(orders.uid, second.uid))
  await run(() => update(268))
  expect(await failuresOf(ours)).toHaveLength(2)
  await run(() => update(269))
  expect(await failuresOf(ours)).toEqual([])
})

test('a settlement found after its attempt was closed retracts the failure', async () => {
  await report(1, 12)
  await attempt(ours, 2, solver, [first.uid], 10)
  await report(2, 13)
  await run(() => update(11, { settlements: [settlement(11, 1)] }))
  expect(await failuresOf(ours)).toEqual([['first', 'solver', 1, 1, 13, 13]])
  await run(() => update(12))
  expect(await failuresOf(ours)).toEqual([['first', 'solver', 1, 1, 13, 13]])
})

test('a settlement below the promised amount counts one failure, also after a report, and a reorganisation retracts it', async () => {
  await report(1, 12)
  const amounts = { sellAmount: '1', buyAmount: '1' }
  const mismatch = [{ orderUid: first.uid, promised: { ...amounts, buyAmount: '2' }, settled: amounts }]
  await attempt(ours, 2, rival, [first.uid], 10)
  const short = [1, 2].map((auctionId) => ({ ...settlement(11, auctionId), logIndex: auctionId, mismatch }))
  await run(() => update(11, { settlements: short }))
  await run(() => update(12))
  expect((await failuresOf(ours)).map(([order, by, failures]) => [order, by, failures])).toEqual([
    ['first', 'solver', 1],
    ['first', 'rival', 1],
    ['second', 'solver', 1],
  ])
  const outcomes = database.select().from(settlementAttempts).where(eq(settlementAttempts.chainId, ours))
  expect((await outcomes).map(({ outcome }) => outcome)).toEqual(['mismatch', 'mismatch'])
  await run(() => update(11, { undoFrom: 11 }))
  expect(await failuresOf(ours)).toEqual([])
})

test('a reorganisation counts no silence twice and leaves no failure above the chain', async () => {
  await run(() => update(16))
  await run(() => attribute(1, solverFault))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 1, 0, 15, null],
    ['second', 'solver', 1, 0, 15, null],
  ])
  await attempt(ours, 2, rival, [first.uid], 16)
  await report(2, 17)
  await run(() => update(16, { undoFrom: 16 }))
  expect(await failuresOf(ours)).toHaveLength(1)
  await run(() => attribute(1, solverFault))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 1, 0, 15, null],
    ['first', 'rival', 1, 1, 15, 15],
    ['second', 'solver', 1, 0, 15, null],
  ])
  // the chain is shorter now, and the deadline of the silent solver is in the future again
  await run(() => update(9, { undoFrom: 9 }))
  expect(await failuresOf(ours)).toEqual([['first', 'rival', 1, 1, 8, 8]])
  await run(() => update(10, { toBlock: 15, blocks: [block(15)] }))
  await run(() => attribute(1, solverFault))
  expect(await failuresOf(ours)).toEqual([
    ['first', 'solver', 1, 0, 15, null],
    ['first', 'rival', 1, 1, 8, 8],
    ['second', 'solver', 1, 0, 15, null],
  ])
})

test('a fill undone by a reorganisation leaves the order without failures', async () => {
  await report(1, 12)
  await update(14, { trades: [trade(14, first.uid)] })
  await run(() => update(14, { undoFrom: 14 }))
  expect(await database.select().from(trades)).toEqual([])
  expect(await failuresOf(ours)).toEqual([['second', 'solver', 1, 1, 12, 12]])
})

measureRows(closeAttemptsAsFailed, (database, h) =>
  closeAttemptsAsFailed(database, h.chainId, undefined, { outcome: 'timeout', block: h.tip, blame: null }),
)
// the failures of open orders: each with its order and its trades
measureRows(
  deleteResolvedFailures,
  (database, h) => deleteResolvedFailures(database, h.chainId, h.lookFrom, h.orders),
  { reads: (h) => Math.ceil(h.openOrders / 10) * 3 },
)
measureRows(recordBlame, (database, h) =>
  recordBlame(database, { chainId: h.chainId, auctionId: h.runningAuction, solutionUid: 0 }, blameAll),
)
measureRows(lowerFailureBlocks, (database, h) => lowerFailureBlocks(database, h.chainId, h.orders - 50))
measureRows(selectSettlementFailures, (database, h) => selectSettlementFailures(database, h.chainId))
measureRows(selectSettlementFailures, (database, h) => selectSettlementFailures(database, h.chainId, h.uid))
