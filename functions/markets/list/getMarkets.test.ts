import type { Address } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { priceSamples } from '#schema/tables/markets/priceSamples.ts'
import { tradeValues } from '#schema/tables/settlements/tradeValues.ts'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { getDepth } from '../book/getDepth.ts'
import { getMarkets } from './getMarkets.ts'

const { wrappedNative: weth, chainId } = networks.sepolia
const [usdc, unknown] = ['0c', 'fe'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address]
const { database, close } = await startTestDatabase()
afterAll(close)

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

test('pairs have price, change, volume and trades of a day, and tokens without a proven price have no place', async () => {
  const trade = (blockNumber: number, sellToken: Address, buyToken: Address, volume: bigint | null, hours = 1) => ({
    ...{ chainId, blockNumber, logIndex: 0, settledAt: hoursAgo(hours), trader: usdc, solver: usdc },
    ...{ sellToken, buyToken, sellAmount: 1n, buyAmount: 1n, volume },
  })
  await database
    .insert(tradeValues)
    .values([
      trade(1, weth, usdc, 1_000n),
      trade(2, usdc, nativeSentinel, 500n),
      trade(3, usdc, weth, 9_000n, 25),
      trade(4, unknown, weth, null),
    ])
  const sample = (token: Address, hours: number, price: number) => ({
    ...{ chainId, token, price, sampledAt: hoursAgo(hours) },
  })
  await database
    .insert(priceSamples)
    .values([sample(weth, 0.1, 3_300), sample(usdc, 0.1, 1), sample(weth, 24, 3_000), sample(usdc, 24, 1)])
  const app = getMarkets({ checkServed: () => undefined, now: Date.now, databaseOf: () => database })
  const response = await app.request(`/${chainId}/markets`)
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=60, stale-while-revalidate=300')
  expect(await response.json()).toEqual([
    {
      base: weth,
      quote: usdc,
      price: expect.closeTo(3_300, 6),
      change: expect.closeTo(0.1, 6),
      volume: '1500',
      trades: 2,
    },
  ])
})

test('a pair without orders has no depth', async () => {
  const app = getDepth({ checkServed: () => undefined, databaseOf: () => database })
  const response = await app.request(`/${chainId}/markets/--${usdc}/depth`)
  expect([response.status, await response.json()]).toEqual([200, { sells: [], buys: [] }])
})
