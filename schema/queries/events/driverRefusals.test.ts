import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { insertOrder } from '../orders/orders.ts'
import { insertDriverRefusals } from './driverRefusals.ts'
import { insertTransitions } from './orderTransitions.ts'

const { chainId } = networks.sepolia
let store: TestDatabase

beforeAll(async () => {
  store = await startTestDatabase()
})
afterAll(() => store?.close())

test('refusals are added to the data of an order in the auctions, once per driver, and to no other order', async () => {
  const { database } = store
  const [ready, created] = [newOrder(1), newOrder(2)]
  for (const order of [ready, created]) await insertOrder(database, order)
  await insertTransitions(database, chainId, 5, [{ uid: ready.uid, label: 'ready', reason: null, data: { gapBps: 3 } }])
  const refuse = (auctionId: number, solver: string, reason: string) =>
    insertDriverRefusals(
      database,
      chainId,
      auctionId,
      [ready, created].map(({ uid }) => ({ uid, solver, reason })),
    )
  await refuse(6, 'first', 'old')
  await refuse(7, 'second', 'x')
  await refuse(8, 'first', 'new')
  await refuse(8, 'first', 'new')
  const events = await database.select().from(orderEvents).orderBy(orderEvents.id)
  expect(events.filter(({ orderUid }) => orderUid === created.uid).map(({ label }) => label)).toEqual(['created'])
  const ofReady = events.filter(({ orderUid }) => orderUid === ready.uid)
  expect(ofReady.map(({ label, auctionId }) => [label, auctionId])).toEqual([
    ['created', null],
    ['ready', 5],
    ['ready', 6],
    ['ready', 7],
    ['ready', 8],
  ])
  expect(ofReady.at(-1)?.data).toEqual({
    gapBps: 3,
    refusedBy: [
      { solver: 'first', reason: 'new' },
      { solver: 'second', reason: 'x' },
    ],
  })
})

measureRows(insertDriverRefusals, (database, h) =>
  insertDriverRefusals(database, h.chainId, h.runningAuction, [{ uid: h.openUid(), solver: 'first', reason: 'x' }]),
)
