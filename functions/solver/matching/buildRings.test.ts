import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import type { Batch } from '../batches/buildBatch.ts'
import { computeUniformPrices } from '../solutions/computeUniformPrices.ts'
import { buildRings } from './buildRings.ts'

const token = (digit: string): Address => `0x${digit.repeat(40)}`
const [a, b, c, d, wrappedNative] = [token('a'), token('b'), token('c'), token('d'), token('e')]
const million = 10n ** 6n

/** All tokens have the same price, and no pool. */
const market: BatchMarket = {
  ...{ pools: new Map(), buildPaths: () => [], funds: new Map(), tolerance: 0n },
  ...{ gasPrice: 1000n, dataGas: 0n, prices: new Map([a, b, c, d].map((address) => [address, 10n ** 24n])) },
}

const order = (uid: number, sellToken: Address, buyToken: Address, overrides: Partial<AuctionOrder> = {}) => ({
  ...auctionOrder,
  ...{ uid: `0x${String(uid).padStart(112, '0')}` as const, sellToken, buyToken },
  ...{ sellAmount: 10n * million, buyAmount: 9n * million },
  ...overrides,
})
const ringOf = (...tokens: Address[]) =>
  tokens.map((sellToken, i) => order(i, sellToken, tokens[(i + 1) % tokens.length] as Address))
const build = (orders: AuctionOrder[], batches: Batch[] = []) => buildRings(market, orders, batches, wrappedNative)

test.each([
  ['three', [a, b, c]],
  ['four', [a, b, c, d]],
])('%s owners receive what the next one sells, less its network fee', (_name, tokens) => {
  const [ring, ...others] = build(ringOf(...tokens))
  expect(others).toEqual([])
  // ⌈106,391 gas · 1,000 wei / 10^6⌉
  const amounts = { executedSell: 10n * million, executedBuy: 10n * million - 107n }
  expect(ring?.fills).toMatchObject(tokens.map(() => amounts))
  expect(ring?.route.hops).toEqual([])
  const prices = computeUniformPrices(ring ? [ring] : [], wrappedNative)
  expect(new Set(prices?.values()).size).toBe(1)
  expect([...(prices?.keys() ?? [])].sort()).toEqual(tokens)
})

test('a partially fillable owner gives as much as the ring takes', () => {
  const [first, second, third] = ringOf(a, b, c) as [AuctionOrder, AuctionOrder, AuctionOrder]
  const larger = { ...second, sellAmount: 50n * million, buyAmount: 45n * million, partiallyFillable: true }
  const [ring] = build([first, larger, third])
  const [, part] = ring?.fills ?? []
  // all that the third gives, at the limit
  expect(part?.executedBuy).toBe(10n * million - 107n)
  expect(part?.executedSell).toBe(((10n * million - 107n) * 50n) / 45n)
})

test('limits that do not agree, two owners alone and a pair that is worse off make no ring', () => {
  const [first, second, third] = ringOf(a, b, c) as [AuctionOrder, AuctionOrder, AuctionOrder]
  expect(build([first, second, { ...third, buyAmount: 13n * million }])).toEqual([])
  expect(build([first, order(7, b, a)])).toEqual([])
  expect(build([first, second])).toEqual([])
  const [ring] = build([first, second, third])
  const better = { ...ring, sellToken: a, buyToken: b, score: 10n ** 18n } as Batch
  expect(build([first, second, third], [better])).toEqual([])
  expect(build([first, second, third], [{ ...better, score: 1n }])).toHaveLength(1)
})

test('the search ends in a book where everything trades with everything', () => {
  const tokens = Array.from({ length: 60 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`)
  const orders = tokens.flatMap((sellToken, i) =>
    tokens.flatMap((buyToken, j) => (i === j ? [] : [order(60 * i + j, sellToken, buyToken)])),
  )
  const prices = new Map(tokens.map((address) => [address, 10n ** 24n]))
  expect(buildRings({ ...market, prices }, orders, [], wrappedNative).length).toBeGreaterThan(0)
})
