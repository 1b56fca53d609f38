import { afterAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { newOrder, storeOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getAccountStatistics } from './getAccountStatistics.ts'

const { database, close } = await startTestDatabase()
afterAll(close)

const get = (account: string) =>
  getAccountStatistics({ database, network: networks.sepolia, now: () => 7 }).request(
    `/api/v1/explorer/accounts/${account}/statistics`,
  )

test('has the totals of the account in any case, cacheable for a minute', async () => {
  await storeOrder(database, newOrder(1))
  await storeOrder(database, newOrder(2, { validTo: 6 }))
  const response = await get(newOrder(1).owner.toUpperCase().replace('0X', '0x'))
  expect(response.headers.get('Cache-Control')).toContain('public, max-age=60')
  expect(await response.json()).toEqual({
    orders: {
      ...{ open: 1, fulfilled: 0, cancelled: 0, expired: 1, presignaturePending: 0, partiallyFilled: 0 },
      isComplete: true,
    },
    trades: { count: 0, valued: 0, volume: '0', volumeUsd: null, surplus: '0', surplusUsd: null, isComplete: true },
  })
})

test('rejects a malformed account', async () => {
  expect((await get('0x12')).status).toBe(400)
})
