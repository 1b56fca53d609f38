import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertSettledTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { selectPopularTokens } from './popularTokens.ts'

const { chainId } = networks.sepolia
const dayMs = 86_400_000
const token = (digit: string): Address => `0x${digit.repeat(40)}`
const [weth, usd, dai, old] = [token('1'), token('2'), token('3'), token('4')]
const { database, close } = await startTestDatabase()

const insertTrade = (blockNumber: number, daysAgo: number, sellToken: Address, buyToken: Address) =>
  insertSettledTrade(database, blockNumber, {
    sellToken,
    buyToken,
    settlement: { settledAt: new Date(Date.now() - daysAgo * dayMs) },
  })

beforeAll(async () => {
  for (const block of [10, 11, 12]) await insertTrade(block, 31, old, usd)
  await insertTrade(20, 29, dai, weth)
  await insertTrade(21, 2, usd, weth)
  await insertTrade(22, 1, weth, usd)
  await insertTrade(23, 0, weth, nativeSentinel)
})
afterAll(close)

test('lists tokens with most trades on either side first, without those traded long ago and the native token', async () => {
  expect(await selectPopularTokens(database, chainId, 10)).toEqual([weth, usd, dai])
})

test('returns at most the requested number', async () => {
  expect(await selectPopularTokens(database, chainId, 2)).toEqual([weth, usd])
})

test('returns none without trades', async () => {
  expect(await selectPopularTokens(database, 1, 10)).toEqual([])
})

measureRows(selectPopularTokens, (database, h) => selectPopularTokens(database, h.chainId, 10), { reads: 20_000 })
