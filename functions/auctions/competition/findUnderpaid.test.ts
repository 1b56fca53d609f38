import type { Address, Hex } from 'viem'
import { expect, test } from 'vitest'
import { nativeSentinel, networks } from '#shared/networks.ts'
import { newOrder } from '#test/helpers/database/newOrder.ts'
import type { Auction } from '../auction.ts'
import { findUnderpaid } from './findUnderpaid.ts'
import type { ScoredSolution } from './scoreSolution.ts'

const { wrappedNative } = networks.sepolia
const gold: Address = `0x${'90'.repeat(20)}`
const ether = 10n ** 18n

type Terms = {
  sell: bigint
  buy: bigint
  kind?: 'sell' | 'buy'
  buyToken?: Address
  feeAmount?: bigint
  volumeFee?: number
}

/** Each order sells gold for ether, worth a wei per atom, at the executed amounts. */
const find = (...all: Terms[]) => {
  const orders = all.map(({ sell, buy, kind = 'sell', buyToken = wrappedNative, feeAmount = 0n }, i) => ({
    ...newOrder(i + 1, { kind, sellToken: gold, buyToken, sellAmount: sell - feeAmount, buyAmount: buy, feeAmount }),
    ...{ sell, buy },
  }))
  const feePolicies = new Map(
    all.flatMap(({ volumeFee }, i): [Hex, never][] =>
      volumeFee === undefined ? [] : [[orders[i]?.uid as Hex, [{ kind: 'volume', factor: volumeFee }] as never]],
    ),
  )
  const executions = orders.map(({ uid, kind, sellToken, buyToken, sell, buy }) => {
    const limits = { limitSell: sell, limitBuy: 1n }
    return [uid, { side: kind, sellToken, buyToken, ...limits, executedSell: sell, executedBuy: buy }] as const
  })
  const prices = new Map([
    [wrappedNative, ether],
    [nativeSentinel, ether],
  ])
  const auction = { orders: new Map(orders.map((order) => [order.uid, order])), prices, feePolicies }
  const found = findUnderpaid(
    auction as unknown as Auction,
    { orders: new Map(executions) } as unknown as ScoredSolution,
    wrappedNative,
  )
  const indexOf = (uid: Hex) => orders.findIndex((order) => order.uid === uid)
  return found && { underpaid: indexOf(found.uid), favoured: indexOf(found.favoured), wei: found.wei }
}

test('one price, or one order of a pair, leaves no order underpaid', () => {
  expect(find({ sell: 100n, buy: 50n })).toBeUndefined()
  expect(
    find({ sell: 100n, buy: 50n }, { sell: 2_000n, buy: 1_000n }, { sell: 10n, buy: 5n, kind: 'buy' }),
  ).toBeUndefined()
})

test('an order that its solver pays above the market makes the others of its pair underpaid by what they lose', () => {
  const own = { sell: 10n * ether, buy: 11n * ether }
  const fair = { sell: 4n * ether, buy: 4n * ether }
  const atLimit = { sell: 2n * ether, buy: (19n * ether) / 10n }
  expect(find(fair, own, atLimit)).toEqual({ underpaid: 0, favoured: 1, wei: (4n * ether) / 10n })
  expect(find(own, atLimit)).toEqual({ underpaid: 1, favoured: 0, wei: (3n * ether) / 10n })
  // also where one of them buys the native token itself
  expect(find({ ...own, buyToken: nativeSentinel }, atLimit)).toMatchObject({ underpaid: 1 })
  expect(find({ ...own, kind: 'buy' }, atLimit)).toMatchObject({ underpaid: 1 })
})

test('network fees differ by their cost, whatever the sizes', () => {
  const cost = 1_000n
  const after = (sell: bigint) => ({ sell, buy: sell - cost })
  const found = find(after(5_000n), after(ether), after(1_000n * ether))
  expect(found?.wei).toBeLessThanOrEqual(cost)
})

test('dust at an absurd price gains nothing that counts', () => {
  expect(find({ sell: 1n, buy: 1_000n }, { sell: ether, buy: ether })?.wei).toBeLessThanOrEqual(1_000n)
})

test('signed and protocol fees are no part of a price', () => {
  expect(find({ sell: 110n, buy: 100n, feeAmount: 10n }, { sell: 1_000n, buy: 1_000n })).toBeUndefined()
  expect(find({ sell: 1_000n, buy: 900n, volumeFee: 0.1 }, { sell: 1_000n, buy: 1_000n })).toBeUndefined()
})

test('of many favoured orders those with the largest gain are compared', () => {
  const decoys = Array.from({ length: 30 }, () => ({ sell: 1_000n, buy: 1_100n }))
  const found = find(...decoys, { sell: ether, buy: 2n * ether }, { sell: ether, buy: ether })
  expect(found).toMatchObject({ underpaid: 31, favoured: 30 })
})
