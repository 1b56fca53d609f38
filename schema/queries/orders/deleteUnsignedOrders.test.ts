import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { presignatures } from '../../tables/chain/presignatures.ts'
import { orderEvents } from '../../tables/orders/orderEvents.ts'
import { orders } from '../../tables/orders/orders.ts'
import { deleteUnreferencedAppData, insertAppData, unreferencedDays } from './appData.ts'
import { deleteUnsignedOrders, unsignedDays } from './deleteUnsignedOrders.ts'
import { insertOrder, type NewOrder } from './orders.ts'

const { chainId } = networks.sepolia
const { database, close } = await startTestDatabase()
afterAll(close)
beforeEach(() => emptyDatabase(database))

const dayMs = 86_400_000
const unsigned = { signingScheme: 'presign', signature: '0x', submittedBy: '0xaa', validTo: 0xffffffff } as const
const place = async (seed: number, days: number, changes: Partial<NewOrder> = {}) => {
  const order = newOrder(seed, { ...unsigned, createdAt: new Date(Date.now() - days * dayMs), ...changes })
  await insertOrder(database, order)
  return order
}
const listLeft = async () => (await database.select({ uid: orders.uid }).from(orders)).map(({ uid }) => uid).sort()

test('an order that was never signed ends after 30 days with its events, and counts for no limit', async () => {
  await place(1, unsignedDays + 1)
  await place(2, unsignedDays + 2)
  const recent = await place(3, unsignedDays - 1)
  const bounds = { now: 1_900_000_000, limitOrders: 9, openOrders: 9, unsignedOfClient: 3, unsignedOrders: 9 }
  const next = newOrder(4, unsigned)
  expect(await insertOrder(database, next, null, bounds)).toMatchObject({ exceeded: { field: 'unsignedOfClient' } })
  expect(await deleteUnsignedOrders(database, chainId, 1)).toBe(1)
  expect(await deleteUnsignedOrders(database, chainId, 100)).toBe(1)
  expect(await listLeft()).toEqual([recent.uid])
  expect(await database.select({ uid: orderEvents.orderUid }).from(orderEvents)).toEqual([{ uid: recent.uid }])
  expect(await insertOrder(database, next, null, bounds)).toMatchObject({ inserted: true })
})

test('an order that was never signed ends after 30 days, also when it expired or was cancelled or invalidated before', async () => {
  const old = unsignedDays + 1
  await place(1, old, { validTo: Math.floor(Date.now() / 1_000) - old * 86_400 + 60 })
  await place(2, old, { cancelledAt: new Date() })
  const invalidated = await place(3, old)
  await database.update(orders).set({ invalidated: true }).where(eq(orders.uid, invalidated.uid))
  expect(await deleteUnsignedOrders(database, chainId, 100)).toBe(3)
  expect(await listLeft()).toEqual([])
})

test('a document that only such an order has ends after it', async () => {
  const { appDataHash } = await place(1, unsignedDays + 1)
  await insertAppData(database, appDataHash, '{}')
  await database.execute(sql`update app_data set created_at = now() - ${unreferencedDays + 1} * interval '1 day'`)
  expect(await deleteUnreferencedAppData(database, '0x', 100)).toBe(0)
  await deleteUnsignedOrders(database, chainId, 100)
  expect(await deleteUnreferencedAppData(database, '0x', 100)).toBe(1)
})

test('signed, once signed, cancelled and placed orders and those of other networks stay', async () => {
  const old = unsignedDays + 1
  const stay = [
    await place(1, old, { signingScheme: 'eip712', signature: '0x11', submittedBy: null }),
    await place(2, old),
    await place(3, old),
    await place(4, old, { signingScheme: 'eip1271', signature: '0x11', submittedBy: null, cancelledAt: new Date() }),
    await place(5, old, { onchainUser: `0x${'11'.repeat(20)}` }),
    await place(6, old, { chainId: 5 }),
  ]
  const [, presigned, revoked] = stay
  const event = { chainId, blockNumber: 1, owner: `0x${'11'.repeat(20)}` } as const
  for (const [logIndex, order, signed] of [
    [1, presigned, true],
    [2, revoked, false],
  ] as const)
    await database.insert(presignatures).values({ ...event, logIndex, orderUid: order?.uid ?? '0x', signed })
  await database.execute(sql`update orders set presigned = true where uid = decode(${presigned?.uid.slice(2)}, 'hex')`)
  expect(await deleteUnsignedOrders(database, chainId, 100)).toBe(0)
  expect(await listLeft()).toEqual(stay.map(({ uid }) => uid).sort())
})

measureRows(deleteUnsignedOrders, (database, h) => deleteUnsignedOrders(database, h.chainId, 1_000), { reads: 1_000 })
