import fc from 'fast-check'
import type { Address } from 'viem'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { minOf } from '#shared/amounts/minMax.ts'
import { maxUint256 } from '#shared/amounts/uint256.ts'
import { networks } from '#shared/networks.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { newSettlement, newTrade } from '#test/helpers/database/insertSettledTrade.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { executions } from '../../tables/settlements/executions.ts'
import { settlements } from '../../tables/settlements/settlements.ts'
import { trades } from '../../tables/settlements/trades.ts'
import { insertOrder } from '../orders/orders.ts'
import { selectTotalSurplus } from './totalSurplus.ts'

const { chainId } = networks.sepolia
const owner: Address = '0x6000000000000000000000000000000000000006'
const { sellToken, buyToken } = newOrder(0)
const prices = { [sellToken]: 6n * 10n ** 27n, [buyToken]: 3n * 10n ** 27n }
const { database, close } = await startTestDatabase()

beforeEach(() => emptyDatabase(database))
afterAll(close)

type Fill = { auctionId: number; sell: bigint; buy: bigint; fee?: bigint; executed?: boolean; attributed?: boolean }
type Terms = { kind: 'sell' | 'buy'; sellAmount: bigint; buyAmount: bigint; of?: Address }

const insertAuction = async (id: number, of: Record<string, bigint> = prices) => {
  const texts = Object.fromEntries(Object.entries(of).map(([token, price]) => [token, price.toString()]))
  await database.insert(auctions).values({ chainId, id, block: 1, deadlineBlock: 2, prices: texts })
}

/** An order and its fills, each in a separate block. */
const insertFilledOrder = async (seed: number, { of = owner, ...terms }: Terms, fills: Fill[]) => {
  const order = newOrder(seed, { ...terms, owner: of })
  await insertOrder(database, order)
  for (const [index, { auctionId, sell, buy, fee = 0n, executed = true, attributed = true }] of fills.entries()) {
    const blockNumber = seed * 100 + index
    const trade = { orderUid: order.uid, owner: of, sellToken, buyToken, sellAmount: sell, buyAmount: buy }
    await database.insert(trades).values({ chainId, ...newTrade(blockNumber, { ...trade, feeAmount: fee }) })
    const settlement = newSettlement(blockNumber, { auctionId: attributed ? auctionId : null })
    await database.insert(settlements).values({ chainId, ...settlement })
    if (!executed) continue
    const execution = { executedFee: 9n, executedFeeToken: sellToken, protocolFees: [] }
    await database.insert(executions).values({ chainId, auctionId, orderUid: order.uid, blockNumber, ...execution })
  }
}
const select = (of = owner) => selectTotalSurplus(database, chainId, of)

test('is zero for unknown accounts', async () => {
  expect(await select()).toBe(0n)
})

test('a sell order gains buy token, a buy order sell token, each at the price of its own auction', async () => {
  await insertAuction(1)
  await insertAuction(2, { [sellToken]: 2n * 10n ** 18n, [buyToken]: 10n ** 18n })
  await insertFilledOrder(1, { kind: 'sell', sellAmount: 1000n, buyAmount: 2000n }, [
    { auctionId: 1, sell: 501n, buy: 1010n, fee: 1n },
    { auctionId: 2, sell: 500n, buy: 1007n },
  ])
  const ofSell = 10n * 3n * 10n ** 9n + 7n
  expect(await select()).toBe(ofSell)
  await insertFilledOrder(2, { kind: 'buy', sellAmount: 1000n, buyAmount: 2000n }, [
    { auctionId: 1, sell: 990n, buy: 2000n },
  ])
  expect(await select()).toBe(ofSell + 10n * 6n * 10n ** 9n)
  expect(await select('0x7000000000000000000000000000000000000007')).toBe(0n)
  expect(await selectTotalSurplus(database, 1, owner)).toBe(0n)
})

test('trades without a price, an auction or an execution add nothing', async () => {
  await insertAuction(1)
  await insertAuction(2, { [sellToken]: 5n })
  const terms: Terms = { kind: 'sell', sellAmount: 1000n, buyAmount: 2000n }
  const filled = { sell: 1000n, buy: 2001n }
  await insertFilledOrder(1, terms, [{ auctionId: 1, ...filled }])
  await insertFilledOrder(2, terms, [{ auctionId: 2, ...filled }])
  await insertFilledOrder(3, terms, [{ auctionId: 1, ...filled, attributed: false }])
  await insertFilledOrder(4, terms, [{ auctionId: 1, ...filled, executed: false }])
  await insertFilledOrder(5, { ...terms, of: buyToken }, [{ auctionId: 1, ...filled }])
  expect(await select()).toBe(3n * 10n ** 9n)
})

test('rounds once: three thirds of a wei are one', async () => {
  await insertAuction(1, { [sellToken]: 10n ** 18n, [buyToken]: 10n ** 18n / 3n + 1n })
  for (const seed of [1, 2, 3]) {
    await insertFilledOrder(seed, { kind: 'sell', sellAmount: 10n, buyAmount: 10n }, [
      { auctionId: 1, sell: 10n, buy: 11n },
    ])
  }
  expect(await select()).toBe(1n)
})

test('is exact to the wei for amounts of any size', async () => {
  const amount = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, maxUint256))
  const terms = fc.record({ kind: fc.constantFrom('sell', 'buy'), sellAmount: amount, buyAmount: amount })
  const orders = fc.array(fc.tuple(terms, fc.bigInt(0n, 10n ** 40n), fc.double({ min: 0, max: 1, noNaN: true })), {
    minLength: 1,
    maxLength: 4,
  })
  await fc.assert(
    fc.asyncProperty(orders, amount, async (placed, price) => {
      await emptyDatabase(database)
      await insertAuction(1, { [sellToken]: price, [buyToken]: price })
      let total = 0n
      for (const [seed, [{ kind, sellAmount, buyAmount }, gain, share]] of placed.entries()) {
        const part = (whole: bigint) => (whole * BigInt(Math.ceil(share * 1000))) / 1000n || 1n
        const [sell, buy] =
          kind === 'sell'
            ? [part(sellAmount), min((part(sellAmount) * buyAmount) / sellAmount + 1n + gain)]
            : [max((part(buyAmount) * sellAmount) / buyAmount - gain), part(buyAmount)]
        const limit = { kind, limitSell: sellAmount, limitBuy: buyAmount }
        const surplus = computeSurplus({ ...limit, executedSell: sell, executedBuy: buy })
        if (surplus < 0n) continue
        await insertFilledOrder(seed, { kind, sellAmount, buyAmount }, [{ auctionId: 1, sell, buy }])
        // at most the smaller amount of the trade
        total += minOf(surplus, minOf(sell, buy)) * price
      }
      expect(await select()).toBe(total / 10n ** 18n)
    }),
    { numRuns: 20 },
  )
})

const min = (value: bigint) => (value > maxUint256 ? maxUint256 : value)
const max = (value: bigint) => (value < 0n ? 0n : value)

// the trades of the newest 64 blocks are not in the stored sum
measureRows(selectTotalSurplus, (database, h) => selectTotalSurplus(database, h.chainId, h.busyOwner), { reads: 64 })
measureRows(selectTotalSurplus, (database, h) => selectTotalSurplus(database, h.chainId, h.onchainUser), { reads: 64 })
