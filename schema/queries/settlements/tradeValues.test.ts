import { afterAll, beforeAll, expect, test } from 'vitest'
import { computeSurplus } from '#shared/amounts/computeSurplus.ts'
import { networks } from '#shared/networks.ts'
import { buildSettledWin } from '#test/helpers/database/buildSettledWin.ts'
import { measureRows } from '#test/helpers/database/history/measureRows.ts'
import { hashOf, newOrder, orderUidOf } from '#test/helpers/database/newOrder.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { auctions } from '../../tables/auctions/auctions.ts'
import { tradeValues } from '../../tables/settlements/tradeValues.ts'
import { storedBlocks } from '../chain/blocks.ts'
import { type ChainUpdate, noEvents } from '../chain/chainUpdate.ts'
import { updateChain } from '../chain/updateChain.ts'
import { insertOrder } from '../orders/orders.ts'
import { insertTradeValues } from './tradeValues.ts'

const { chainId } = networks.sepolia
const { owner, sellToken, buyToken } = newOrder(1)
/** wei per 10^18 atoms in all auctions */
const prices = { sellToken: 3n, buyToken: 7n }
const { database, close } = await startTestDatabase()

beforeAll(async () => {
  await database.insert(auctions).values(
    [1, 2].map((id) => ({
      ...{ chainId, id, block: 100, deadlineBlock: 110 },
      prices: { [sellToken]: String(prices.sellToken), [buyToken]: String(prices.buyToken) },
    })),
  )
})
afterAll(close)

const select = () => database.select().from(tradeValues).orderBy(tradeValues.blockNumber)

/** Blocks without events, except the given ones. */
const index = (fromBlock: number, toBlock: number, changes: Partial<ChainUpdate> = {}) =>
  updateChain(database, chainId, {
    ...noEvents,
    ...{ fromBlock, toBlock, undoFrom: null },
    blocks: [{ number: toBlock, hash: hashOf(9_000 + toBlock), timestamp: new Date() }],
    ...changes,
  })

const atoms = 10n ** 21n
const large = (seed: number) => newOrder(seed, { sellAmount: atoms, buyAmount: atoms })

test('a trade of a known order is valued at the prices of its auction, once', async () => {
  await insertOrder(database, large(100))
  const events = buildSettledWin(171, 1, orderUidOf(100), atoms)
  await index(171, 171, events)
  const rows = await select()
  await index(171, 171, events)
  expect(await select()).toEqual(rows)
  const executed = { executedSell: atoms, executedBuy: 2n * atoms + 100n }
  const surplus = computeSurplus({ kind: 'sell', limitSell: atoms, limitBuy: atoms, ...executed })
  expect(rows.at(-1)).toMatchObject({
    ...{
      blockNumber: 171,
      trader: owner,
      solver: events.settlements[0]?.solver,
      sellToken,
      buyToken,
      sellAmount: atoms,
    },
    volume: (atoms * prices.sellToken) / 10n ** 18n,
    surplus: (surplus * prices.buyToken) / 10n ** 18n,
  })
})

test('a reorganisation removes the values of its trades, and a new block brings others', async () => {
  const before = (await select()).length
  await index(171, 172, { undoFrom: 171 })
  expect(await select()).toHaveLength(before - 1)
  await index(173, 173, buildSettledWin(173, 1, orderUidOf(100), atoms / 2n))
  expect((await select()).at(-1)).toMatchObject({ blockNumber: 173, sellAmount: atoms / 2n })
})

test('a trade has no value before its order is placed', async () => {
  const before = await select()
  await index(174, 174, buildSettledWin(174, 1, orderUidOf(101), atoms))
  expect(await select()).toEqual(before)
  await insertOrder(database, large(101))
  await index(175, 175)
  expect((await select()).at(-1)).toMatchObject({ blockNumber: 174 })
})

test('the value is unknown without an auction, and for an order without an amount', async () => {
  await insertOrder(database, newOrder(102, { kind: 'buy', sellAmount: atoms, buyAmount: 0n }))
  const foreign = buildSettledWin(176, 1, orderUidOf(100), atoms)
  const settlements = foreign.settlements.map((row) => ({ ...row, auctionId: null, solutionUid: null }))
  await index(176, 176, { ...foreign, settlements, executions: [] })
  await index(177, 177, buildSettledWin(177, 2, orderUidOf(102), atoms))
  expect((await select()).slice(-2)).toMatchObject([
    { volume: null, surplus: null },
    { volume: (atoms * prices.sellToken) / 10n ** 18n, surplus: null },
  ])
})

measureRows(insertTradeValues, (database, h) => insertTradeValues(database, h.chainId, h.lookFrom), {
  reads: storedBlocks * 5,
})
