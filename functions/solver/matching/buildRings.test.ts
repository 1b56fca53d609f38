import type { Address } from 'viem'
import { expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { auctionOrder } from '#test/helpers/orders/auctionOrder.ts'
import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { toPairKey } from '../pools/pool.ts'
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

test('what an owner gives beyond the ring is sold to a pool, and no token is left or lacking', () => {
  const pool = { kind: 'constantProduct', address: token('f'), token0: a, token1: b } as const
  const pools = new Map([[toPairKey(a, b), [{ ...pool, reserve0: 5000n * million, reserve1: 5000n * million }]]])
  const buildPaths = (sellToken: Address, buyToken: Address) => [[sellToken, buyToken]]
  const pooled = { ...market, pools, buildPaths }
  const [first, second, third] = ringOf(a, b, c) as [AuctionOrder, AuctionOrder, AuctionOrder]
  const larger = { ...first, sellAmount: 30n * million, buyAmount: 27n * million }
  // the others give too little for the limit
  expect(build([larger, second, third])).toEqual([])
  const [ring] = buildRings(pooled, [larger, second, third], [], wrappedNative)
  const [whole, ...others] = ring?.fills ?? []
  expect(whole?.executedSell).toBe(30n * million)
  expect(others.map(({ executedSell }) => executedSell)).toEqual([10n * million, 10n * million])
  const { amountIn = 0n, amountOut = 0n } = ring?.route ?? {}
  const [swapFee, fee] = [179n, 107n]
  expect(whole?.executedBuy).toBe(10n * million - fee + amountOut)
  expect(others.map(({ executedBuy }) => executedBuy)).toEqual([
    10n * million - fee,
    30n * million - swapFee - amountIn,
  ])
  // the owner who sells less has the price of the pool
  const [sold = 0n, bought = 0n] = [others[1]?.executedBuy, others[0]?.executedSell]
  expect(Number(sold) / Number(bought - fee)).toBeCloseTo(Number(amountIn) / Number(amountOut), 5)
  const prices = computeUniformPrices(ring ? [ring] : [], wrappedNative)
  expect([...(prices?.keys() ?? [])].sort()).toEqual([a, b, c])
  expect(buildRings(pooled, [{ ...larger, buyAmount: 31n * million }, second, third], [], wrappedNative)).toEqual([])
  expect(buildRings(pooled, [{ ...larger, kind: 'buy' }, second, third], [], wrappedNative)).toEqual([])
})

test('the search ends in a book where everything trades with everything', () => {
  const tokens = Array.from({ length: 60 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`)
  const orders = tokens.flatMap((sellToken, i) =>
    tokens.flatMap((buyToken, j) => (i === j ? [] : [order(60 * i + j, sellToken, buyToken)])),
  )
  const prices = new Map(tokens.map((address) => [address, 10n ** 24n]))
  expect(buildRings({ ...market, prices }, orders, [], wrappedNative).length).toBeGreaterThan(0)
})
