import { eq } from 'drizzle-orm'
import { pad } from 'viem'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { solutionOrders } from '../../tables/auctions/solutions.ts'
import { invalidations } from '../../tables/chain/invalidations.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { recomputeOrders } from './executedOrders.ts'
import { insertOrder, type NewOrder, selectOrder } from './orders.ts'
import { lockReplaced } from './replacement.ts'

const chainId: number = networks.sepolia.chainId
const now = 1_900_000_000
const { database, close } = await startTestDatabase()
let seed = 0

afterAll(close)
beforeEach(async () => {
  for (const table of [auctions, solutionOrders]) await database.delete(table)
})

const next = (changes: Partial<NewOrder> = {}) => {
  seed += 1
  return newOrder(seed, { sellAmount: 1000n, ...changes })
}
const place = async (changes: Partial<NewOrder> = {}) => {
  const order = next(changes)
  expect((await insertOrder(database, order)).inserted).toBe(true)
  return order
}
const replace = (old: { uid: NewOrder['uid'] }, order = next()) => insertOrder(database, order, { uid: old.uid, now })
const read = (order: NewOrder) => selectOrder(database, chainId, order.uid)
const labels = async ({ uid }: NewOrder) => {
  const rows = await database.select().from(orderEvents).where(eq(orderEvents.orderUid, uid))
  return rows.map(({ label }) => label).sort()
}
const insertAuction = (id: number) =>
  database.insert(auctions).values({ chainId, id, block: 1, deadlineBlock: 2, prices: {} })
const bidOn = ({ uid }: NewOrder, auctionId: number) =>
  database.insert(solutionOrders).values({
    chainId,
    auctionId,
    solutionUid: 3,
    orderUid: uid,
    side: 'sell',
    sellToken: networks.sepolia.wrappedNative,
    buyToken: networks.sepolia.usdReference.address,
    limitSell: 1n,
    limitBuy: 1n,
    executedSell: 1n,
    executedBuy: 1n,
  })

test('a replacement cancels the old order and places the new one, with the events of both', async () => {
  const old = await place()
  const order = next()
  expect(await replace(old, order)).toMatchObject({
    inserted: true,
    stored: { uid: order.uid },
    replaced: { uid: old.uid, owner: old.owner, cancelledAt: null, activeAuctionId: null },
  })
  const placed = await read(order)
  expect(placed?.cancelledAt).toBeNull()
  expect(await read(old)).toMatchObject({ cancelledAt: placed?.createdAt, version: 2 })
  expect([await labels(old), await labels(order)]).toEqual([['cancelled', 'created'], ['created']])
})

describe('neither order changes', () => {
  const cases: [string, Partial<NewOrder>][] = [
    ['of another owner', { owner: '0x7000000000000000000000000000000000000007' }],
    ['signed on-chain', { signingScheme: 'presign' }],
    ['of a contract', { signingScheme: 'eip1271' }],
    ['that expired', { validTo: now - 1 }],
    ['that was cancelled', { cancelledAt: new Date(0) }],
  ]
  test.each(cases)('when the old one is one %s', async (_name, changes) => {
    const old = await place(changes)
    const before = await read(old)
    const order = next()
    expect(await replace(old, order)).toMatchObject({ inserted: false, stored: null, replaced: { uid: old.uid } })
    expect(await read(order)).toBeUndefined()
    expect(await read(old)).toEqual(before)
    expect(await labels(order)).toEqual([])
  })

  test('when the old one does not exist', async () => {
    const order = next()
    expect(await replace(next(), order)).toEqual({
      inserted: false,
      stored: null,
      exceeded: null,
      replaced: null,
      quote: null,
      isQuoteUsed: false,
      namedUntil: null,
    })
    expect(await read(order)).toBeUndefined()
  })

  test('when the new one already exists', async () => {
    const old = await place()
    const order = await place()
    expect(await replace(old, order)).toMatchObject({ inserted: false, stored: { uid: order.uid } })
    expect(await read(old)).toMatchObject({ cancelledAt: null, version: 1 })
  })

  test('when the old one is invalidated on-chain', async () => {
    const old = await place()
    const { uid: orderUid, owner } = old
    await database
      .insert(invalidations)
      .values({ chainId, blockNumber: 9, logIndex: 0, transactionHash: pad('0x9'), orderUid, owner })
    await recomputeOrders(database, chainId, 9, [])
    expect(await replace(old)).toMatchObject({ inserted: false, replaced: { invalidated: true } })
  })
})

test('an order in a solution of one of the last five competitions is not replaced', async () => {
  const old = await place()
  for (const id of [1, 2, 3, 4, 5]) await insertAuction(id)
  await bidOn(old, 1)
  await bidOn(old, 2)
  expect(await replace(old)).toMatchObject({ inserted: false, replaced: { activeAuctionId: 2 } })
  expect(await read(old)).toMatchObject({ cancelledAt: null })
  await insertAuction(6)
  expect(await replace(old)).toMatchObject({ inserted: false, replaced: { activeAuctionId: 2 } })
  await insertAuction(7)
  expect(await replace(old)).toMatchObject({ inserted: true, replaced: { activeAuctionId: null } })
})

test('one of twenty simultaneous replacements succeeds and the others change nothing', async () => {
  const old = await place()
  const candidates = Array.from({ length: 20 }, () => next())
  const outcomes = await Promise.all(candidates.map((order) => replace(old, order)))
  expect(outcomes.filter(({ inserted }) => inserted)).toHaveLength(1)
  expect(outcomes.filter(({ replaced }) => replaced?.cancelledAt)).toHaveLength(19)
  const placed = await Promise.all(candidates.map(read))
  expect(placed.filter(Boolean)).toHaveLength(1)
})

/** Indexes a trade that fills the order. */
const fill = async (order: NewOrder) => {
  const { uid: orderUid, owner, sellToken, buyToken, sellAmount, buyAmount } = order
  const trade = newTrade(1_000 + seed, { orderUid, owner, sellToken, buyToken, sellAmount, buyAmount })
  await database.batch([
    database.insert(trades).values({ chainId, ...trade }),
    recomputeOrders(database, chainId, trade.blockNumber, []),
  ])
}

test('an order that was filled is not replaced', async () => {
  const old = await place()
  await fill(old)
  const order = next()
  expect(await replace(old, order)).toMatchObject({ inserted: false, replaced: { executedSellAmount: old.sellAmount } })
  expect(await read(order)).toBeUndefined()
})

test('a simultaneous fill comes before the replacement, which then fails, or after it', async () => {
  for (let round = 0; round < 10; round += 1) {
    const old = await place()
    const order = next()
    const filling = round % 2 === 0 ? fill(old) : undefined
    const [{ inserted }] = await Promise.all([replace(old, order), filling ?? fill(old)])
    const filled = await read(old)
    expect(filled?.executedSellAmount).toBe(old.sellAmount)
    expect([filled?.cancelledAt !== null, (await read(order)) !== undefined]).toEqual([inserted, inserted])
  }
})

measureRows(lockReplaced, (database, h) => lockReplaced(database, h.chainId, h.openUid()))
