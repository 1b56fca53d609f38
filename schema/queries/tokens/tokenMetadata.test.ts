import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { insertSettledTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctions, currentAuctions } from '../../tables/auctions/auctions.ts'
import { selectTokenMetadata } from './tokenMetadata.ts'

const { chainId } = networks.sepolia
const token = (digit: string): Address => `0x${digit.repeat(40)}`
const [weth, usd, dai, foreign, listed] = [token('1'), token('2'), token('3'), token('4'), token('5')]
const { database, close } = await startTestDatabase()

/** @param auctionId null: of a foreign settlement */
const insertTrade = (blockNumber: number, sellToken: Address, buyToken: Address, auctionId: number | null) =>
  insertSettledTrade(database, blockNumber, {
    sellToken,
    buyToken,
    settlement: { auctionId, solutionUid: auctionId === null ? null : 0 },
  })

beforeAll(async () => {
  const auction = (id: number, prices: Record<string, string>) => ({
    chainId,
    id,
    block: id,
    deadlineBlock: id,
    prices,
  })
  await database
    .insert(auctions)
    .values([
      auction(1, { [weth]: '1000', [usd]: '10' }),
      auction(2, { [weth]: '1000', [usd]: '20', [dai]: '30' }),
      auction(3, { [usd]: '99' }),
    ])
  const prices = { [weth]: '1001', [listed]: '7' }
  await database.insert(currentAuctions).values([
    { chainId, id: 9, block: 9, prices },
    { chainId: 1, id: 10, block: 9, prices: { [usd]: '5' } },
  ])
  await insertTrade(20, usd, weth, 1)
  await insertTrade(30, dai, usd, 2)
  await insertTrade(40, usd, foreign, null)
})
afterAll(close)

test.each<[string, Address, number | null, bigint | null]>([
  ['in the last auction', weth, 20, 1_001n],
  ['traded on both sides: the newest trade with an auction', usd, 20, 20n],
  ['sold once', dai, 30, 30n],
  ['traded only outside this order book', foreign, 40, null],
  ['never traded, but in the last auction', listed, null, 7n],
  ['unknown', token('6'), null, null],
])('a token %s', async (_, address, firstTradeBlock, nativePrice) => {
  expect(await selectTokenMetadata(database, chainId, address)).toEqual({ firstTradeBlock, nativePrice })
})

measureRows(selectTokenMetadata, (database, h) => selectTokenMetadata(database, h.chainId, h.sellToken))
