import { afterAll, expect, test } from 'vitest'
import { tradeValues } from '#schema/tables/settlements/tradeValues.ts'
import { networks } from '#shared/networks.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getAccountStatistics } from './getAccountStatistics.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

const get = (account: string) =>
  getAccountStatistics({ database, network: networks.sepolia, now: () => 7_000 }).request(
    `/api/v1/explorer/accounts/${account}/statistics`,
  )

test('returns the totals of an account in any letter case, cacheable for a minute', async () => {
  const { owner, chainId, sellToken, buyToken } = newOrder(1)
  const half = { executedSellAmount: 1n, executedBuyAmount: 1n, partiallyFillable: true }
  await storeOrder(database, newOrder(1, { ...half, sellAmount: 2n }))
  await storeOrder(database, newOrder(2, { validTo: 6 }))
  for (const seed of [3, 4]) await storeOrder(database, newOrder(seed, { ...half, sellAmount: 1n }))
  const trade = {
    chainId,
    blockNumber: 1,
    settledAt: new Date(7_000),
    trader: owner,
    solver: owner,
    sellToken,
    buyToken,
  }
  const values = [
    { volume: 9n, surplus: 1n },
    { volume: null, surplus: null },
  ]
  await database
    .insert(tradeValues)
    .values(values.map((value, logIndex) => ({ ...trade, ...value, logIndex, sellAmount: 1n, buyAmount: 1n })))
  const response = await get(owner.toUpperCase().replace('0X', '0x'))
  expect(response.headers.get('Cache-Control')).toContain('public, max-age=60')
  expect(await response.json()).toEqual({
    orders: {
      ...{ open: 1, fulfilled: 2, cancelled: 0, expired: 1, presignaturePending: 0, partiallyFilled: 1 },
      isComplete: true,
    },
    trades: { count: 2, valued: 1, volume: '9', volumeUsd: null, surplus: '1', surplusUsd: null, isComplete: true },
  })
})

test('rejects a malformed account', async () => {
  expect((await get('0x12')).status).toBe(400)
})
