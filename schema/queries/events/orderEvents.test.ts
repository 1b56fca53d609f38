import { pad } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSettlement, newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { solutionOrders, solutions } from '../../tables/auctions/solutions.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectOrderProgress } from './orderEvents.ts'

const { chainId } = networks.sepolia
const [first, second] = [pad('0x51', { size: 20 }), pad('0x52', { size: 20 })]
const { database, close } = await startTestDatabase()
afterAll(close)

/** An auction with two solutions; the better one fills the order of `seed`. */
const insertCompetition = async (auctionId: number, seed: number) => {
  const common = { chainId, auctionId, solutionId: 1, isWinner: false, filteredOut: false, score: 1n }
  await database.insert(solutions).values([
    { ...common, uid: 0, solver: first },
    { ...common, uid: 1, solver: second },
  ])
  const { sellToken, buyToken } = newOrder(seed)
  await database.insert(solutionOrders).values({
    chainId,
    auctionId,
    solutionUid: 0,
    orderUid: orderUidOf(seed),
    side: 'sell',
    sellToken,
    buyToken,
    limitSell: 1n,
    limitBuy: 1n,
    executedSell: BigInt(auctionId),
    executedBuy: 2n,
  })
}

const select = (seed: number) => selectOrderProgress(database, chainId, orderUidOf(seed))

test('an unknown order has no progress, a new one is created', async () => {
  expect(await select(1)).toBeUndefined()
  await insertOrder(database, newOrder(1))
  expect(await select(1)).toMatchObject({
    newestEvent: 'created',
    traded: false,
    order: { uid: orderUidOf(1) },
    solutions: [],
  })
})

test('uses the newest event and the newest competition with the order, worst solution first', async () => {
  await insertOrder(database, newOrder(2))
  await insertCompetition(20, 2)
  await insertCompetition(21, 2)
  await insertCompetition(22, 1)
  const event = { chainId, orderUid: orderUidOf(2) }
  await database.insert(orderEvents).values([
    { ...event, key: 'ready:20', label: 'ready' },
    { ...event, key: 'executing:21', label: 'executing' },
  ])
  expect(await select(2)).toMatchObject({
    newestEvent: 'executing',
    traded: false,
    solutions: [
      { solver: second, executed: null },
      { solver: first, executed: { sell: 21n, buy: 2n } },
    ],
  })
})

test('a traded order shows the competition that settled it', async () => {
  await insertOrder(database, newOrder(3))
  await insertCompetition(30, 3)
  await insertCompetition(31, 3)
  await database.insert(trades).values({ chainId, ...newTrade(5, { orderUid: orderUidOf(3), owner: first }) })
  expect((await select(3))?.solutions.at(-1)?.executed?.sell).toBe(31n)
  await database.insert(settlements).values({ chainId, ...newSettlement(5, { solver: first, auctionId: 30 }) })
  expect(await select(3)).toMatchObject({
    traded: true,
    solutions: [{ solver: second }, { solver: first, executed: { sell: 30n } }],
  })
})

measureRows(selectOrderProgress, (database, h) => selectOrderProgress(database, h.chainId, h.uid))
measureRows(selectOrderProgress, (database, h) => selectOrderProgress(database, h.chainId, h.archivedUid))
// lost in every archived auction
measureRows(selectOrderProgress, (database, h) => selectOrderProgress(database, h.chainId, h.uidOf(9)))
