import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
const prices = { sellToken: 9n, buyToken: 5n }
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
    protocolFee: 0n,
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

describe('a trade with oneself', () => {
  const [own, other]: [Address, Address] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`]
  const wei = 10n ** 18n
  let block = 200
  /** A trade of 10^21 atoms for twice as many, with proven prices in wei per atom. */
  const trade = async (
    tokens: { sellToken: Address; buyToken: Address },
    proven: Record<Address, bigint>,
    fee?: object,
  ) => {
    block += 1
    const texts = Object.fromEntries(Object.entries(proven).map(([token, price]) => [token, `${price * wei}`]))
    // any price that a pool of the trader shows
    const prices = { ...texts, [own]: `${10n ** 40n}`, [other]: `${10n ** 40n}` }
    await database
      .insert(auctions)
      .values({ chainId, id: block, block, deadlineBlock: block, prices: { ...prices, ...texts }, provenPrices: texts })
    const order = newOrder(block, { ...tokens, sellAmount: atoms, buyAmount: 1n, ...fee })
    await insertOrder(database, order)
    const { settlements, ...events } = buildSettledWin(block, block, orderUidOf(block), atoms)
    const [executed] = events.executions
    const executions = executed && 'protocolFees' in (fee ?? {}) ? [{ ...executed, ...fee }] : events.executions
    const trades = events.trades.map((one) => ({ ...one, ...tokens }))
    await index(block, block, { settlements, trades, executions })
    return (await select()).at(-1)
  }

  test.each([
    ['sells an own token', { sellToken: own, buyToken }, { [buyToken]: 1n }],
    ['buys an own token', { sellToken, buyToken: own }, { [sellToken]: 1n }],
    ['sells an own token for another own token', { sellToken: own, buyToken: other }, {}],
  ])('that %s with a price from a pool of its own has no value', async (_, tokens, proven) => {
    expect(await trade(tokens, proven)).toMatchObject({ volume: null, surplus: null })
  })

  test('counts the smaller side, so that a proven price of an own token adds nothing', async () => {
    expect(await trade({ sellToken: own, buyToken }, { [own]: 10n ** 9n, [buyToken]: 1n })).toMatchObject({
      volume: 2n * atoms + 100n,
      surplus: 2n * atoms + 99n,
    })
    expect(await trade({ sellToken, buyToken: own }, { [sellToken]: 1n, [own]: 10n ** 9n })).toMatchObject({
      volume: atoms,
      surplus: atoms,
    })
  })

  test('of two own tokens with deep pools counts an ether at most', async () => {
    expect(await trade({ sellToken: own, buyToken: other }, { [own]: 10n ** 9n, [other]: 10n ** 9n })).toMatchObject({
      volume: wei,
      surplus: wei,
    })
  })

  /** Two trades of 10^21 atoms in one settlement; the solver won with the first one, and each fee is an execution. */
  const tradeTogether = async (
    pairs: readonly { sellToken: Address; buyToken: Address }[],
    proven: Record<Address, bigint>,
    fees: readonly ({ token: Address; amount: string } | undefined)[],
  ) => {
    block += 1
    const prices = Object.fromEntries(Object.entries(proven).map(([token, price]) => [token, `${price * wei}`]))
    await database
      .insert(auctions)
      .values({ chainId, id: block, block, deadlineBlock: block, prices, provenPrices: prices })
    const { settlements } = buildSettledWin(block, block, orderUidOf(block), atoms)
    const events = { settlements, trades: [] as Trade[], executions: [] as Execution[] }
    for (const [i, pair] of pairs.entries()) {
      const seed = 10 * block + i
      await insertOrder(database, newOrder(seed, { ...pair, sellAmount: atoms, buyAmount: 1n }))
      const { trades, executions } = buildSettledWin(block, block, orderUidOf(seed), atoms)
      events.trades.push(...trades.map((one) => ({ ...one, ...pair, logIndex: 7 + i })))
      const fee = fees[i]
      if (fee) events.executions.push(...executions.map((one) => ({ ...one, protocolFees: [fee] })))
    }
    await index(block, block, events)
    return (await select()).slice(-pairs.length).toSorted((a, b) => a.logIndex - b.logIndex)
  }
  type Trade = ReturnType<typeof buildSettledWin>['trades'][number]
  type Execution = ReturnType<typeof buildSettledWin>['executions'][number]

  test('between two accounts in one settlement pays only with the side whose fee is an anchor', async () => {
    const pairs = [
      { sellToken: own, buyToken },
      { sellToken: buyToken, buyToken: own },
    ]
    const fees = [
      { token: buyToken, amount: '7' },
      { token: own, amount: '1000000' },
    ]
    const values = await tradeTogether(pairs, { [own]: 10n ** 9n, [buyToken]: 1n }, fees)
    expect(values).toMatchObject([
      { volume: 2n * atoms + 100n, protocolFee: 7n },
      { volume: atoms, protocolFee: 0n },
    ])
    expect(await tradeTogether(pairs, { [buyToken]: 1n }, fees)).toMatchObject([
      { volume: null, protocolFee: 7n },
      { volume: null, protocolFee: 0n },
    ])
  })

  test('that a solver adds to a settlement which it won with another order pays nothing', async () => {
    const pairs = [
      { sellToken, buyToken },
      { sellToken: own, buyToken },
    ]
    const fees = [{ token: buyToken, amount: '7' }, undefined]
    expect(await tradeTogether(pairs, { [sellToken]: 1n, [buyToken]: 1n }, fees)).toMatchObject([
      { volume: atoms, protocolFee: 7n },
      { volume: null, protocolFee: 0n },
    ])
  })

  test('pays a protocol fee only with tokens that it cannot print, and partner fees do not count', async () => {
    const proven = { [sellToken]: 1n, [buyToken]: 2n, [own]: 10n ** 9n }
    const protocolFees = [
      { token: buyToken, amount: '7' },
      { token: own, amount: '1000000' },
      { token: buyToken, amount: '500' },
    ]
    const partnerFees = [{ kind: 'volume', bps: 100, recipient: owner }]
    expect(await trade({ sellToken, buyToken }, proven, { protocolFees, partnerFees })).toMatchObject({
      protocolFee: 14n,
    })
    expect(await trade({ sellToken, buyToken }, proven, { protocolFees })).toMatchObject({ protocolFee: 1_014n })
  })
})

measureRows(insertTradeValues, (database, h) => insertTradeValues(database, h.chainId, h.lookFrom), {
  reads: storedBlocks * 5,
})
