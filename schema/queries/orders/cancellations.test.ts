import { eq, inArray } from 'drizzle-orm'
import { type Hex, pad } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctionEntries, auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { settlementAttempts } from '../../tables/settlements/settlementAttempts.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { selectCandidates } from '../auctions/selectCandidates.ts'
import { selectCancellationFacts, updateCancelledOrders } from './cancellations.ts'
import { recomputeOrders } from './executedOrders.ts'
import { insertOrder, type NewOrder, selectOrder } from './orders.ts'

const { chainId } = networks.sepolia
const now = 1_800_000_000
const { database, close } = await startTestDatabase()
let seed = 0

afterAll(close)

/** A separate order; `row` overrides its columns. */
const place = async (changes: Partial<NewOrder> = {}, row: Partial<typeof orders.$inferInsert> = {}): Promise<Hex> => {
  seed += 1
  const order = newOrder(seed, { sellAmount: 1000n, ...changes })
  await insertOrder(database, order)
  if (Object.keys(row).length > 0) {
    await database.update(orders).set(row).where(eq(orders.uid, order.uid))
  }
  return order.uid
}
const cancel = (uids: Hex[], at = now) => updateCancelledOrders(database, chainId, uids, at)
const read = (uid: Hex) => selectOrder(database, chainId, uid)
const labelsOf = async (...uids: Hex[]) =>
  (await database.select().from(orderEvents).where(inArray(orderEvents.orderUid, uids))).map(({ label }) => label)

test('cancels an open and a partially filled order together and changes no other order', async () => {
  const uids = [await place(), await place({ partiallyFillable: true }, { executedSellAmount: 999n })]
  const other = await place()
  expect(await cancel(uids)).toEqual([])
  for (const uid of uids) {
    expect(await read(uid)).toMatchObject({ cancelledAt: expect.any(Date), version: 2, invalidated: false })
    expect(await labelsOf(uid)).toEqual(['created', 'cancelled'])
  }
  expect(await read(other)).toMatchObject({ cancelledAt: null, version: 1 })
})

test('twenty simultaneous cancellations cancel once and log one event', async () => {
  const uids = [await place(), await place()]
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => cancel(i % 2 === 0 ? uids : uids.toReversed())),
  )
  expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([[]])
  expect((await labelsOf(...uids)).toSorted()).toEqual(['cancelled', 'cancelled', 'created', 'created'])
  expect(await read(uids[0] as Hex)).toMatchObject({ version: 2 })
})

test.each<[string, Partial<NewOrder>, Partial<typeof orders.$inferInsert>]>([
  ['cancelled', {}, { cancelledAt: new Date(0) }],
  ['invalidated', {}, { invalidated: true }],
  ['sold out', {}, { executedSellAmount: 1001n, executedFeeAmount: 1n }],
  ['bought in full', { kind: 'buy' }, { executedBuyAmount: 1_000_000_000n }],
  ['expired', {}, { validTo: now - 1 }],
  ['authorised on-chain', { signingScheme: 'presign' }, { presigned: true }],
  ['signed by a contract', { signingScheme: 'eip1271' }, {}],
])('one order that is %s by now: none of the list is cancelled', async (_name, changes, row) => {
  const [fine, spoilt] = [await place(), await place(changes, row)]
  const before = await read(spoilt)
  expect(await cancel([fine, spoilt])).toBeUndefined()
  expect(await read(fine)).toMatchObject({ cancelledAt: null, version: 1 })
  expect(await read(spoilt)).toEqual(before)
  expect(await labelsOf(fine, spoilt)).toEqual(['created', 'created'])
})

test('an unknown order, or one of another chain, is not found; the last valid second still counts', async () => {
  const fine = await place()
  expect(await cancel([fine, orderUidOf(999)])).toBeUndefined()
  expect(await updateCancelledOrders(database, 1, [fine], now)).toBeUndefined()
  expect(await read(fine)).toMatchObject({ cancelledAt: null })
  expect(await cancel([await place({}, { validTo: now })])).toEqual([])
})

test('reads all facts about orders in one query', async () => {
  const uid = await place()
  const { owner } = newOrder(0)
  expect(await selectCancellationFacts(database, chainId, [uid, orderUidOf(999)])).toMatchObject([
    { uid, owner, signingScheme: 'eip712', cancelledAt: null, executedSellAmount: 0n },
  ])
  expect(await selectCancellationFacts(database, 1, [uid])).toEqual([])
})

test('an order cancelled before the cut enters no auction and leaves its current one', async () => {
  const [open, cancelled] = [await place(), await place()]
  await database.insert(auctionEntries).values({ chainId, orderUid: cancelled, enteredAuctionId: 1 })
  await cancel([cancelled])
  const { candidates, departed } = await selectCandidates(database, chainId, now, 0)
  const uids = candidates.map(({ order }) => order.uid)
  expect(uids).toContain(open)
  expect(uids).not.toContain(cancelled)
  expect(departed).toContain(cancelled)
})

test('a cancelled order that is settled anyway is fulfilled', async () => {
  const uid = await place()
  await cancel([uid])
  const { owner, sellToken, buyToken } = newOrder(0)
  const event = { chainId, blockNumber: 9, logIndex: 1, settlementLogIndex: 2, transactionHash: pad('0x9') }
  const amounts = { sellAmount: 1000n, buyAmount: 1_000_000_000n, feeAmount: 0n }
  await database.insert(trades).values({ ...event, ...amounts, orderUid: uid, owner, sellToken, buyToken })
  await recomputeOrders(database, chainId, 9, [])
  const order = await read(uid)
  expect(order).toMatchObject({ cancelledAt: expect.any(Date), version: 3 })
  expect(order && computeOrderStatus(order, now)).toBe('fulfilled')
})

test('reports orders in flight: with a winner until its deadline, or in the running auction', async () => {
  const [won, lost, settled, competing, left, fresh] = await Promise.all(Array.from({ length: 6 }, () => place()))
  if (!won || !lost || !settled || !competing || !left || !fresh) throw new Error('no order')
  const { sellToken, buyToken } = newOrder(0)
  const execution = { side: 'sell', sellToken, buyToken, limitSell: 1n, limitBuy: 1n } as const
  const amounts = { executedSell: 1n, executedBuy: 1n }
  const attempt = { chainId, auctionId: 50, solver: pad('0x5', { size: 20 }), startBlock: 7, deadlineBlock: 10 }
  await database.insert(settlementAttempts).values([
    { ...attempt, solutionUid: 0 },
    { ...attempt, solutionUid: 1, outcome: 'timeout' },
    { ...attempt, chainId: 1, solutionUid: 2 },
  ])
  await database.insert(solutionOrders).values(
    [
      { orderUid: won, solutionUid: 0 },
      { orderUid: settled, solutionUid: 1 },
      { orderUid: lost, solutionUid: 2 },
    ].map((row) => ({ chainId, auctionId: 50, ...row, ...execution, ...amounts })),
  )
  await database.insert(currentAuctions).values({ chainId, id: 51, block: 8 })
  await database.insert(auctionEntries).values([
    { chainId, orderUid: competing, enteredAuctionId: 51 },
    { chainId, orderUid: left, enteredAuctionId: 50, leftAuctionId: 51 },
  ])
  const inFlight = await cancel([won, lost, settled, competing, left, fresh])
  expect(inFlight).toHaveLength(2)
  expect(inFlight).toEqual(
    expect.arrayContaining([
      { uid: won, auctionId: 50, deadlineBlock: 10 },
      { uid: competing, auctionId: 51, deadlineBlock: null },
    ]),
  )
  const late = await place()
  await database.insert(auctionEntries).values({ chainId, orderUid: late, enteredAuctionId: 51 })
  await database.insert(auctions).values({ chainId, id: 51, block: 8, deadlineBlock: 11, prices: {} })
  expect(await cancel([late])).toEqual([])
})

measureRows(selectCancellationFacts, (database, h) => selectCancellationFacts(database, h.chainId, [h.uid, h.uidOf(1)]))
measureRows(
  updateCancelledOrders,
  (database, h) => updateCancelledOrders(database, h.chainId, [h.openUid(), h.openUid(1)], nowSeconds()),
  { reads: 20 },
)
