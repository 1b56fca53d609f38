import { type Address, type Hex, pad } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { orderUidOf } from '#test/helpers/newOrder.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/testDatabase.ts'
import { settlements } from '../tables/settlements.ts'
import { trades } from '../tables/trades.ts'
import { selectPopularTokens } from './popularTokens.ts'

const { chainId } = networks.sepolia
const dayMs = 86_400_000
const token = (digit: string): Address => `0x${digit.repeat(40)}`
const [weth, usd, dai, old] = [token('1'), token('2'), token('3'), token('4')]
let testDatabase: TestDatabase

const insertTrade = async (blockNumber: number, daysAgo: number, sellToken: Address, buyToken: Address) => {
  const transactionHash: Hex = pad(`0x${blockNumber}`, { size: 32 })
  const place = { chainId, blockNumber, transactionHash }
  await testDatabase.database.insert(trades).values({
    ...place,
    logIndex: 0,
    orderUid: orderUidOf(blockNumber),
    owner: token('9'),
    sellToken,
    buyToken,
    sellAmount: 1n,
    buyAmount: 1n,
    feeAmount: 0n,
    settlementLogIndex: 1,
  })
  await testDatabase.database.insert(settlements).values({
    ...place,
    logIndex: 1,
    settledAt: new Date(Date.now() - daysAgo * dayMs),
    solver: token('8'),
    auctionId: null,
    solutionUid: null,
    gasUsed: 1n,
    effectiveGasPrice: 1n,
  })
}

beforeAll(async () => {
  testDatabase = await startTestDatabase()
  for (const block of [10, 11, 12]) await insertTrade(block, 31, old, usd)
  await insertTrade(20, 29, dai, weth)
  await insertTrade(21, 2, usd, weth)
  await insertTrade(22, 1, weth, usd)
  await insertTrade(23, 0, weth, nativeSentinel)
})
afterAll(() => testDatabase?.close())

test('those of most trades first, on either side; neither what was traded long ago nor the native token', async () => {
  expect(await selectPopularTokens(testDatabase.database, chainId, 10)).toEqual([weth, usd, dai])
})

test('as many as are asked for', async () => {
  expect(await selectPopularTokens(testDatabase.database, chainId, 2)).toEqual([weth, usd])
})

test('none where nobody trades', async () => {
  expect(await selectPopularTokens(testDatabase.database, 1, 10)).toEqual([])
})
