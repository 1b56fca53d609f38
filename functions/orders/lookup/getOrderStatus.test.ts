import { afterAll, describe, expect, test } from 'vitest'
import type { NewOrder } from '#schema/queries/orders/orders.ts'
import { solutionOrders, solutions } from '#schema/tables/auctions/solutions.ts'
import { orderEvents } from '#schema/tables/orders/orderEvents.ts'
import { orders } from '#schema/tables/orders/orders.ts'
import { networks } from '#shared/networks.ts'
import { insertSettledTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder, orderUidOf, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { computeProgressType } from './computeProgressType.ts'
import { getOrderStatus } from './getOrderStatus.ts'

const { chainId } = networks.sepolia
const solver = `0x${'5'.repeat(40)}` as const
const { database, close } = await startTestDatabase()
afterAll(close)

let seed = 0
/** Stores another order with a newest event, and a competition of two solutions of which one has it. */
const store = async (event: Partial<typeof orderEvents.$inferInsert>, changes: Partial<NewOrder> = {}) => {
  seed += 1
  const { uid: orderUid, sellToken, buyToken } = newOrder(seed)
  await storeOrder(database, newOrder(seed, { sellAmount: 1000n, buyAmount: 2000n, ...changes }))
  await database.insert(orderEvents).values({ chainId, orderUid, key: 'newest', label: 'executing', ...event })
  const common = { chainId, auctionId: seed, solutionId: 1, solver, isWinner: false, filteredOut: false, score: 1n }
  await database.insert(solutions).values([0, 1].map((uid) => ({ ...common, uid })))
  const limits = { side: 'sell', sellToken, buyToken, limitSell: 1n, limitBuy: 1n } as const
  const executed = { executedSell: 10n, executedBuy: 20n }
  await database
    .insert(solutionOrders)
    .values({ chainId, auctionId: seed, solutionUid: 0, orderUid, ...limits, ...executed })
  return orderUid
}

const get = (uid: string, ifNoneMatch = '', now = 0) =>
  getOrderStatus({ database, chainId, now: () => 1_000 * now }).request(`/api/v1/orders/${uid}/status`, {
    headers: { 'If-None-Match': ifNoneMatch },
  })
const read = async (...terms: Parameters<typeof store>) => (await get(await store(...terms))).json()

const competition = [
  { solver, executedAmounts: null },
  { solver, executedAmounts: { sell: '10', buy: '20' } },
]

test('the status after a competition has the amounts of each solution for the order', async () => {
  const uid = await store({})
  const response = await get(uid)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ type: 'executing', value: competition })
  expect(response.headers.get('Cache-Control')).toBe('no-cache')
  expect((await get(uid, response.headers.get('ETag') ?? '')).status).toBe(304)
})

test('the status before a competition has no amounts, and a final one is cached', async () => {
  const response = await get(await store({ label: 'cancelled' }, { invalidated: true }))
  expect(await response.json()).toEqual({ type: 'cancelled' })
  expect(response.headers.get('Cache-Control')).toMatch('max-age=60')
})

test('the status after failed settlements has their number and the block of the next attempt', async () => {
  const exclusion = { label: 'filtered', reason: 'settlement_failed' } as const
  const data = { failures: 2, lastBlock: 121, nextBlock: 123 }
  expect(await read({ ...exclusion, data })).toEqual({
    type: 'open',
    message: 'Settlement reverted twice; next attempt at block 123.',
  })
  expect(await read({ ...exclusion, data, reason: 'dust_order' })).toEqual({ type: 'open' })
  expect(await read(exclusion)).toEqual({ type: 'open' })
})

test('an expired order is expired, and a cancelled one that was settled nevertheless is traded', async () => {
  const uid = await store({ label: 'filtered' })
  const expired = await get(uid, '', newOrder(1).validTo + 601)
  expect(await expired.json()).toEqual({ type: 'expired' })
  const active = await store({ label: 'ready' })
  expect(await (await get(active, '', newOrder(1).validTo + 1)).json()).toEqual({ type: 'expired' })
  const inFlight = await store({})
  expect(await (await get(inFlight, '', newOrder(1).validTo + 1)).json()).toMatchObject({ type: 'executing' })
  expect(expired.headers.get('Cache-Control')).toMatch('max-age=60')
  const settled = await store({ label: 'cancelled' }, { cancelledAt: new Date() })
  await insertSettledTrade(database, seed, newOrder(seed))
  expect(await (await get(settled)).json()).toEqual({ type: 'traded', value: competition })
})

test('an order that is unknown or has no event is 404', async () => {
  const { fullAppData: _, ...row } = newOrder(1_000)
  await database.insert(orders).values(row)
  for (const uid of [row.uid, orderUidOf(1_001)]) {
    const response = await get(uid)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ errorType: 'NotFound', description: 'order status not found' })
  }
})

describe('type', () => {
  test.each([
    ['created', 'scheduled'],
    ['ready', 'active'],
    ['filtered', 'open'],
    ['invalid', 'open'],
    ['considered', 'solved'],
    ['executing', 'executing'],
    ['traded', 'traded'],
    ['cancelled', 'cancelled'],
  ] as const)('newest event %s → %s', (label, type) => expect(computeProgressType(label, false, 'open')).toBe(type))

  test('a trade takes precedence over every event', () =>
    expect(computeProgressType('ready', true, 'expired')).toBe('traded'))
})
