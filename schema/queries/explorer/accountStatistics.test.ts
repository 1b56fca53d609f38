import { pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { computeOrderStatus } from '#shared/orders/computeOrderStatus.ts'
import { explorerOwners, insertExplorerOrders, insertExplorerTrades } from '#test/helpers/database/explorerRows.ts'
import { nowSeconds } from '#test/helpers/database/history/describeHistory.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { priceSamples } from '../../tables/markets/priceSamples.ts'
import { orders } from '../../tables/orders/orders.ts'
import { selectAccountStatistics } from './accountStatistics.ts'

const network = networks.sepolia
const { chainId, wrappedNative } = network
const now = 1_800_000_000
const [owner] = explorerOwners as [`0x${string}`]
const { database, close } = await startTestDatabase()
let trades: Awaited<ReturnType<typeof insertExplorerTrades>>
let all: (typeof orders.$inferSelect)[]

beforeAll(async () => {
  await insertExplorerOrders(database, 200, now)
  trades = await insertExplorerTrades(database, 300, now)
  all = await database.select().from(orders)
})
afterAll(close)

const total = (values: (bigint | null)[]) => String(values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n))

test('the statistics of an account are those of its orders and trades, to the wei', async () => {
  const own = all.filter(
    ({ onchainUser, signingScheme, presigned, ...order }) =>
      (order.owner === owner && !(signingScheme === 'presign' && !presigned && !onchainUser)) || onchainUser === owner,
  )
  const count = (status: string) => own.filter((order) => computeOrderStatus(order, now) === status).length
  const mine = trades.filter(({ trader }) => trader === owner)
  const isPart = (order: (typeof own)[number]) =>
    order.executedSellAmount > 0n && computeOrderStatus(order, now) !== 'fulfilled'
  expect(await selectAccountStatistics(database, network, owner, now)).toEqual({
    orders: {
      open: count('open'),
      fulfilled: count('fulfilled'),
      cancelled: count('cancelled'),
      expired: count('expired'),
      presignaturePending: count('presignaturePending'),
      partiallyFilled: own.filter(isPart).length,
      isComplete: true,
    },
    trades: {
      count: mine.length,
      valued: mine.filter(({ volume }) => volume !== null).length,
      volume: total(mine.map(({ volume }) => volume)),
      volumeUsd: null,
      surplus: total(mine.map(({ surplus }) => surplus)),
      surplusUsd: null,
      isComplete: true,
    },
  })
  for (const status of ['open', 'fulfilled', 'cancelled', 'expired']) expect(count(status), status).toBeGreaterThan(0)
  expect(own.filter(isPart).length).toBeGreaterThan(0)
})

test('US dollars use the price sampled nearest to the hour', async () => {
  const sampledAt = new Date(now * 1_000)
  await database.insert(priceSamples).values({ chainId, token: wrappedNative, sampledAt, price: 2_000 })
  const { volume, volumeUsd, surplus, surplusUsd } = (await selectAccountStatistics(database, network, owner, now))
    .trades
  expect(volumeUsd).toBeCloseTo((Number(volume) / 1e18) * 2_000, 1)
  expect(surplusUsd).toBeCloseTo((Number(surplus) / 1e18) * 2_000, 1)
})

test('an account without orders has zeros', async () => {
  const found = await selectAccountStatistics(database, network, pad('0xdead', { size: 20 }), now)
  expect(found.orders).toMatchObject({ open: 0, fulfilled: 0, partiallyFilled: 0, isComplete: true })
  expect(found.trades).toMatchObject({ count: 0, volume: '0', volumeUsd: null, isComplete: true })
})

test('only the newest orders and trades count, and the statistics say so', async () => {
  const select = (most: number) => selectAccountStatistics(database, network, owner, now, most)
  const { orders: some, trades: few } = await select(7)
  const { open, fulfilled, cancelled, expired, presignaturePending } = some
  expect(open + fulfilled + cancelled + expired + presignaturePending).toBe(7)
  expect(few).toMatchObject({
    ...{ count: 7, isComplete: false },
    surplus: total(
      trades
        .filter(({ trader }) => trader === owner)
        .slice(0, 7)
        .map(({ surplus }) => surplus),
    ),
  })
  expect(some.isComplete).toBe(false)
  const { count } = (await select(1_000)).trades
  expect((await select(count)).trades).toMatchObject({ count, isComplete: true })
  expect((await select(count - 1)).trades).toMatchObject({ count: count - 1, isComplete: false })
})

measureRows(selectAccountStatistics, (database, h) => selectAccountStatistics(database, h, h.busyOwner, nowSeconds()), {
  reads: 40_000,
})
measureRows(
  selectAccountStatistics,
  (database, h) => selectAccountStatistics(database, h, h.onchainUser, nowSeconds()),
  { reads: 40_000 },
)
