import { type Address, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import {
  batchMarketOf,
  batchOrder,
  poolOf,
  tokenA,
  tokenB,
  tokenC,
  tokenD,
  tokenOf,
} from '#test/helpers/solvers/batchMarket.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import { computePaid } from '../fills/executed.ts'
import { buildMatches } from '../matching/buildMatches.ts'
import type { Pool } from '../pools/pool.ts'
import { buildPaths } from '../routing/buildPaths.ts'
import { listStrands } from '../routing/swapRoute.ts'
import { buildFallback } from '../solutions/buildFallback.ts'
import { buildSolution } from '../solutions/buildSolution.ts'
import type { Batch } from './batch.ts'
import type { BatchMarket } from './batchMarket.ts'
import { buildBatches } from './buildBatches.ts'
import { canConvertFees } from './convertFees.ts'

/** `native` is what the solver retains; anyone can create the others. */
const [printed, native, other, dollar] = [tokenA, tokenB, tokenC, tokenD]
const million = 10n ** 6n
const price = 10n ** 24n
/** fee of a direct trade, atoms of native value */
const fee = 179n

const marketOf = (pools: [string, Pool[]][], feeTokens: Address[] = [native], changes: Partial<BatchMarket> = {}) =>
  batchMarketOf(new Map(pools), {
    buildPaths: (sellToken, buyToken) => buildPaths(sellToken, buyToken, 'multihop', [native]),
    feeTokens: new Map(feeTokens.map((token) => [token, price])),
    ...changes,
  })

const even = (first: Address, second: Address) => poolOf(first, second, 1_000n * million, 1_000n * million)
const sellPrinted = (changes: Partial<AuctionOrder> = {}) =>
  batchOrder({ sellToken: printed, buyToken: native, ...changes })

/** What a settlement leaves in the contract by token; throws when it spends more than it has. */
const settle = ({ fills, route }: Batch): Map<Address, bigint> => {
  const held = new Map<Address, bigint>()
  const add = (token: Address, amount: bigint) => {
    const left = (held.get(token) ?? 0n) + amount
    if (left < 0n) throw new Error(`lacks ${token}`)
    held.set(token, left)
  }
  for (const fill of fills) add(fill.order.sellToken, computePaid(fill))
  for (const hops of listStrands(route)) {
    const [first, last] = [hops[0], hops.at(-1)]
    if (!first || !last) throw new Error('empty strand')
    add(first.tokenIn, -first.amountIn)
    add(last.tokenOut, last.amountOut)
  }
  for (const { order, executedBuy } of fills) add(order.buyToken, -executedBuy)
  return held
}

describe('the fee of an order that sells what anyone can create', () => {
  test('is retained in the native token that its pool pays, and the order gets the same', () => {
    for (const kind of ['sell', 'buy'] as const) {
      const order = sellPrinted(kind === 'sell' ? {} : { kind, sellAmount: 2n * million, buyAmount: million })
      const [batch] = buildBatches(marketOf([even(printed, native)]), [order])
      const [before] = buildBatches(marketOf([even(printed, native)], [printed, native]), [order])
      if (!batch || !before) throw new Error('not filled')
      expect(batch.fills).toEqual(before.fills)
      expect(batch.rate).toEqual(before.rate)
      const held = settle(batch)
      expect(held.get(printed)).toBe(0n)
      // 179 atoms less the pool's 0.3 % and 0.2 % of impact
      expect(held.get(native)).toBeGreaterThanOrEqual((fee * 98n) / 100n)
      expect(settle(before).get(printed)).toBe(fee)
      const solution = buildSolution([batch], native)
      const [cushioned] = solution ? buildFallback(solution, native).batches : []
      expect(cushioned && settle(cushioned).get(native)).toBe(0n)
    }
  })

  test('is retained in the native token between two swaps', () => {
    const [batch] = buildBatches(marketOf([even(printed, native), even(native, other)]), [
      sellPrinted({ buyToken: other }),
    ])
    if (!batch) throw new Error('not filled')
    const held = settle(batch)
    expect([held.get(printed), held.get(other)]).toEqual([0n, 0n])
    expect(held.get(native)).toBeGreaterThan(fee)
    const solution = buildSolution([batch], native)
    const [cushioned] = solution ? buildFallback(solution, native).batches : []
    if (!cushioned) throw new Error('no fallback')
    // all of it pays pools that have moved: each swap tolerates a price that is worse by half of it
    expect(settle(cushioned).get(native)).toBeLessThanOrEqual(1n)
    const [before, after] = [batch, cushioned].map(({ route }) => route.hops)
    const gained = (after?.[1]?.amountIn ?? 0n) - (before?.[1]?.amountIn ?? 0n)
    expect(gained).toBe((held.get(native) ?? 0n) / 2n)
    expect((before?.[0]?.amountOut ?? 0n) - (after?.[0]?.amountOut ?? 0n)).toBe((held.get(native) ?? 0n) / 2n)
  })

  test('is sold in a pool of its own where the trade passes no token that the solver retains', () => {
    const pools = [even(printed, other), poolOf(printed, native, 10n * million, 10n * million)]
    const [batch] = buildBatches(marketOf(pools), [sellPrinted({ buyToken: other })])
    if (!batch) throw new Error('not filled')
    const held = settle(batch)
    expect([held.get(printed), held.get(other)]).toEqual([0n, 0n])
    // its own swap is paid for: 72 atoms
    expect(held.get(native)).toBeGreaterThan(fee + 67n)
  })

  test('is taken at the price of the pool when the auction names a higher one', () => {
    const cheap = poolOf(printed, native, 10_000n * million, 1_000n * million)
    const [batch] = buildBatches(marketOf([cheap]), [sellPrinted()])
    if (!batch) throw new Error('not filled')
    expect(settle(batch).get(native)).toBeGreaterThanOrEqual((fee * 9n) / 10n)
    // the whole order is worth less than its gas
    const worthless = poolOf(printed, native, 10_000_000n * million, 1_000n * million)
    expect(buildBatches(marketOf([worthless]), [sellPrinted()])).toEqual([])
  })

  test('that cannot be sold declines the order, alone and with others', () => {
    const market = marketOf([even(printed, other)])
    expect(canConvertFees(market, printed)).toBe(false)
    expect(canConvertFees(market, native)).toBe(true)
    const orders = [sellPrinted({ buyToken: other }), sellPrinted({ sellToken: other, buyToken: printed })]
    expect(buildBatches(market, orders)).toEqual([])
    expect(buildMatches(market, orders, [], native)).toEqual([])
  })

  test('through a second token of the same stranger is declined, or retained in the native token', () => {
    const chains = [
      [even(printed, other), even(other, native)],
      [even(printed, other), even(other, native), poolOf(printed, native, 500n, 500n)],
    ]
    for (const pools of chains) expect(buildBatches(marketOf(pools), [sellPrinted()])).toEqual([])
    const deep = poolOf(printed, native, 10n * million, 10n * million)
    const batches = buildBatches(marketOf([even(printed, other), even(other, native), deep]), [sellPrinted()])
    expect(batches).toHaveLength(1)
    for (const held of batches.map(settle)) {
      expect([held.get(printed) ?? 0n, held.get(other) ?? 0n]).toEqual([0n, 0n])
      expect(held.get(native)).toBeGreaterThanOrEqual((fee * 9n) / 10n)
    }
  })

  test('of fifteen strangers is paid by each, however little the pool of the fees holds', () => {
    const orders = Array.from({ length: 15 }, (_, i) =>
      sellPrinted({ owner: pad(`0x${i + 1}`, { size: 20 }), buyToken: other }),
    )
    const filled = [100n, 1_000n, 10_000n, million].map((depth) => {
      const market = marketOf([even(printed, other), poolOf(printed, native, depth, depth)])
      const batches = buildBatches(market, orders)
      for (const batch of batches) {
        const held = settle(batch)
        expect(held.get(printed)).toBe(0n)
        expect(held.get(native)).toBeGreaterThanOrEqual((BigInt(batch.fills.length) * 106n * 9n) / 10n)
      }
      return batches.flatMap(({ fills }) => fills).length
    })
    expect([filled.at(0), filled.at(-1)]).toEqual([0, 15])
  })

  test('is sold in the deep pool, whatever small or dearer pools strangers add', () => {
    const [direct, [key, deep]] = [even(printed, other), poolOf(printed, native, 10n * million, 10n * million)]
    const order = sellPrinted({ buyToken: other })
    const [before] = buildBatches(marketOf([direct, [key, deep]]), [order])
    const sides = { token0: printed, token1: native }
    const free: Pool[] = [
      { kind: 'constantProduct', address: tokenOf('7'), ...sides, reserve0: 500n, reserve1: 500n },
      {
        kind: 'concentrated',
        ...{ address: tokenOf('8'), ...sides, fee: 100, tickSpacing: 1, sqrtPrice: 2n ** 96n, tick: 0 },
        ...{ liquidity: 10_000n * million, ticks: new Map(), lowestTick: -60_000, highestTick: 60_000 },
      },
    ]
    const [after] = buildBatches(marketOf([direct, [key, [...free, ...deep]]]), [order])
    expect(before).toBeDefined()
    expect(after).toEqual(before)
  })

  test('that is signed is sold too, and counts only when its sale covers half of the gas', () => {
    const order = sellPrinted({ feeAmount: fee })
    const [batch] = buildBatches(marketOf([even(printed, native)]), [order])
    if (!batch) throw new Error('not filled')
    expect(settle(batch).get(printed)).toBe(0n)
    expect(settle(batch).get(native)).toBeGreaterThan((fee * 98n) / 100n)
    const cheap = poolOf(printed, native, 10_000n * million, 1_000n * million)
    expect(buildBatches(marketOf([cheap]), [order])).toEqual([])
  })

  test('in a match is sold beside it, or the orders are not matched', () => {
    const orders = [sellPrinted(), batchOrder({ sellToken: native, buyToken: printed })]
    const retained = (pools: ReturnType<typeof poolOf>[]) =>
      buildMatches(marketOf(pools), orders, [], native).map(({ match }) => settle(match))
    const matches = retained([even(printed, native)])
    expect(matches.length).toBeGreaterThan(0)
    for (const held of matches) expect(held.get(native)).toBeGreaterThan(2n * 107n)
    expect(retained([even(printed, other)])).toEqual([])
    expect(retained([poolOf(printed, native, 10_000n * million, 1_000n * million)])).toEqual([])
  })
})

test('an order that sells a base token trades as before, its fee in that token', () => {
  const pools = [even(native, other), even(dollar, native), even(dollar, other)]
  for (const sellToken of [native, dollar]) {
    const order = batchOrder({ sellToken, buyToken: other })
    const [batch] = buildBatches(marketOf(pools, [native, dollar]), [order])
    if (!batch) throw new Error('not filled')
    expect(settle(batch)).toEqual(
      new Map([
        [sellToken, fee],
        [other, 0n],
      ]),
    )
    const amountIn = million - fee
    expect(batch.fills[0]?.executedBuy).toBe(
      (amountIn * 997n * 1_000n * million) / (1_000n * million * 1_000n + amountIn * 997n),
    )
  }
})

test('the contract never lacks a token, and fees cover nine tenths of their gas, in 300 random markets', () => {
  const random = createRandom(11)
  const upTo = (most: number) => BigInt(1 + Math.floor(random() * most))
  let settled = 0
  for (let round = 0; round < 300; round += 1) {
    const depth = () => upTo(1_000) * million
    const pools = [
      poolOf(printed, native, depth(), depth()),
      poolOf(native, other, depth(), depth()),
      poolOf(printed, other, depth(), depth()),
    ].filter(() => random() < 0.7)
    const kind = random() < 0.5 ? ('sell' as const) : ('buy' as const)
    const buyToken = random() < 0.5 ? native : other
    const orders = Array.from({ length: Number(upTo(4)) }, () => {
      const [sellAmount, buyAmount] = [upTo(10_000_000), upTo(1_000_000)]
      const partiallyFillable = random() < 0.3
      return sellPrinted({ kind, buyToken, sellAmount, buyAmount, partiallyFillable })
    })
    const opposite = batchOrder({ sellToken: buyToken, buyToken: printed, sellAmount: upTo(5_000_000) })
    const market = marketOf(pools, [native], { tolerance: random() < 0.5 ? 1_000n : 0n })
    const batches = buildBatches(market, [...orders, opposite])
    const matches = buildMatches(market, [...orders, opposite], batches, native).map(({ match }) => match)
    for (const batch of [...batches, ...matches]) {
      settled += 1
      const held = settle(batch).get(native) ?? 0n
      expect(held).toBeGreaterThanOrEqual((BigInt(batch.fills.length) * 106n * 9n) / 10n)
    }
  }
  expect(settled).toBeGreaterThan(200)
})
