import { sql } from 'drizzle-orm'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { computeOrderStatus, type OrderStatus } from '#shared/orders/computeOrderStatus.ts'
import { explorerOwners, explorerTokens, insertExplorerOrders } from '#test/helpers/database/explorerRows.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { orders } from '../../tables/orders/orders.ts'
import { type NetworkOrderFilter, selectNetworkOrders } from './networkOrders.ts'

const { chainId } = networks.sepolia
const now = 1_800_000_000
const { database, close } = await startTestDatabase()
let all: (typeof orders.$inferSelect)[]

beforeAll(async () => {
  await insertExplorerOrders(database, 120, now)
  all = await database.select().from(orders).orderBy(sql`created_at desc, uid`)
})
afterAll(close)

const isListed = (order: (typeof all)[number], filter: NetworkOrderFilter): boolean => {
  const { status, kind, token, owner, isPartlyFilled } = filter
  const isStranger = order.signingScheme === 'presign' && !order.presigned && order.onchainUser === null
  const state = computeOrderStatus(order, now)
  if (status === undefined ? isStranger : state !== status || (isStranger && status === 'expired')) return false
  if (kind && order.kind !== kind) return false
  if (isPartlyFilled && (order.executedSellAmount === 0n || computeOrderStatus(order, now) === 'fulfilled'))
    return false
  if (token && order.sellToken !== token && order.buyToken !== token) return false
  return !owner || order.owner === owner || order.onchainUser === owner
}

const selectAll = async (filter: NetworkOrderFilter, limit: number): Promise<Hex[]> => {
  const uids: Hex[] = []
  for (let after: Hex | undefined | null; after !== null; ) {
    const page = await selectNetworkOrders(database, chainId, filter, { after, limit, now })
    uids.push(...page.orders.map(({ uid }) => uid))
    expect(page.orders.length).toBeLessThanOrEqual(limit)
    after = page.next
  }
  return uids
}

const statuses: (OrderStatus | undefined)[] = [
  undefined,
  ...(['open', 'fulfilled', 'cancelled', 'expired', 'presignaturePending'] as const),
]
const filters = statuses.flatMap((status) =>
  [undefined, explorerTokens[0]].flatMap((token) =>
    [undefined, explorerOwners[0]].map((owner): NetworkOrderFilter => ({ status, token, owner })),
  ),
)

const isPartlyFilled = true as const
const partly: NetworkOrderFilter[] = [
  { isPartlyFilled },
  { isPartlyFilled, status: 'open' },
  { isPartlyFilled, status: 'expired', owner: explorerOwners[0] },
  { isPartlyFilled, token: explorerTokens[0] },
]

test.each([...filters, ...partly, { kind: 'buy' as const }, { kind: 'sell' as const, status: 'fulfilled' as const }])(
  'the pages of %j contain each of its orders once, newest first',
  async (filter) => {
    const expected = all.filter((order) => isListed(order, filter)).map(({ uid }) => uid)
    expect(expected.length).toBeGreaterThan(0)
    expect(await selectAll(filter, 7)).toEqual(expected)
  },
)

test('an unknown cursor has no successors, and another network no orders', async () => {
  const page = { limit: 5, now }
  expect(await selectNetworkOrders(database, chainId, {}, { ...page, after: orderUidOf(999) })).toEqual({
    ...{ orders: [], next: null },
  })
  expect((await selectNetworkOrders(database, 1, {}, page)).orders).toEqual([])
})

test('a page reads at most a thousand rows that its filter leaves out, and the next one follows them', async () => {
  const old = { createdAt: new Date(1e12), chainId: 1 }
  const build = (seed: number, changes: Partial<typeof orders.$inferInsert>) => {
    const { fullAppData: _, ...row } = newOrder(seed, { ...old, ...changes })
    return row
  }
  for (let i = 0; i < 1_500; i += 500)
    await database
      .insert(orders)
      .values(Array.from({ length: 500 }, (_, j) => build(i + j, { createdAt: new Date(2e12) })))
  await database.insert(orders).values(build(9_999, { kind: 'buy' }))
  const first = await selectNetworkOrders(database, 1, { kind: 'buy' }, { limit: 5, now })
  expect(first.orders).toEqual([])
  expect(first.next).not.toBeNull()
  const second = await selectNetworkOrders(
    database,
    1,
    { kind: 'buy' },
    { limit: 5, now, after: first.next ?? undefined },
  )
  expect(second).toMatchObject({ orders: [{ uid: orderUidOf(9_999) }], next: null })
})

measureRows(selectNetworkOrders, (database, h) =>
  selectNetworkOrders(database, h.chainId, {}, { limit: 100, now: nowSeconds() }),
)
measureRows(selectNetworkOrders, (database, h) =>
  selectNetworkOrders(database, h.chainId, { owner: h.busyOwner }, { limit: 100, now: nowSeconds(), after: h.uid }),
)
measureRows(
  selectNetworkOrders,
  (database, h) =>
    selectNetworkOrders(
      database,
      h.chainId,
      { status: 'cancelled', token: h.buyToken, kind: 'buy' },
      { limit: 100, now: nowSeconds(), after: h.uid },
    ),
  { reads: 2_200 },
)
measureRows(
  selectNetworkOrders,
  (database, h) =>
    selectNetworkOrders(database, h.chainId, { token: h.sellToken, kind: 'sell' }, { limit: 100, now: nowSeconds() }),
  { reads: 2_200 },
)
measureRows(
  selectNetworkOrders,
  (database, h) =>
    selectNetworkOrders(database, h.chainId, { status: 'open' }, { limit: 100, now: nowSeconds(), after: h.uid }),
  { reads: 2_200 },
)
