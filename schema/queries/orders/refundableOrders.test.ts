import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder, orderUidOf, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { orders } from '../../tables/orders/orders.ts'
import { selectRefundableOrders } from './refundableOrders.ts'

const network = networks.sepolia
const receiver = `0x${'aa'.repeat(20)}` as const
const { database, close } = await startTestDatabase()
afterAll(close)

test('pages list the refundable orders by expiry, those of one second by UID, each once', async () => {
  for (const [seed, userValidTo] of [
    [3, 1_000],
    [1, 2_000],
    [2, 2_000],
    [4, 3_000],
  ] as const) {
    await storeOrder(database, newOrder(seed, { owner: network.ethFlow, receiver }))
    await database
      .update(orders)
      .set({ userValidTo })
      .where(eq(orders.uid, orderUidOf(seed, network.ethFlow)))
  }
  const list = (after?: { seed: number; validTo: number }) =>
    selectRefundableOrders(database, network, {
      ...{ from: 1_000, before: 3_000, limit: 2 },
      after: after && { validTo: after.validTo, uid: orderUidOf(after.seed, network.ethFlow) },
    })
  const uids = [3, 1, 2].map((seed) => orderUidOf(seed, network.ethFlow))
  const first = await list()
  expect(first.map(({ uid }) => uid)).toEqual(uids.slice(0, 2))
  const second = await list({ seed: 1, validTo: 2_000 })
  expect(second.map(({ uid }) => uid)).toEqual(uids.slice(2))
})

measureRows(selectRefundableOrders, (database, h) =>
  selectRefundableOrders(
    database,
    { chainId: h.chainId, ethFlow: h.busyOwner },
    { from: nowSeconds() - 86_400, before: nowSeconds(), limit: 100, after: undefined },
  ),
)
