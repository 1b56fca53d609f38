import fc from 'fast-check'
import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'
import { batchMarketOf, batchOrder, poolOf, tokenA, tokenB, tokenOf } from '#test/helpers/solvers/batchMarket.ts'
import type { Batch } from '../batches/batch.ts'
import type { BatchMarket } from '../batches/batchMarket.ts'
import { buildBatches } from '../batches/buildBatches.ts'
import { computeOrderFee } from '../batches/computeOrderFee.ts'
import type { Pools } from '../pools/pool.ts'
import { computeSwapGas } from '../routing/computeGas.ts'
import { buildMatches } from './buildMatches.ts'

const [a, b, wrappedNative] = [tokenA, tokenB, tokenOf('e')]
const million = 10n ** 6n

const withPool: Pools = new Map([poolOf(a, b, 1000n * million, 2000n * million)])

/** One atom of `a` is worth two of `b`. */
const buildMarket = (pools: Pools, funds: BatchMarket['funds'] = new Map()): BatchMarket =>
  batchMarketOf(pools, {
    prices: new Map([
      [a, 2n * 10n ** 24n],
      [b, 10n ** 24n],
    ]),
    funds,
  })

const order = (uid: string, overrides: Partial<AuctionOrder>): AuctionOrder =>
  batchOrder({ uid: `0x${uid.padStart(112, '0')}`, ...overrides })

const backwards = { sellToken: b, buyToken: a }

const match = (market: BatchMarket, orders: AuctionOrder[]): Batch[] =>
  buildMatches(market, orders, buildBatches(market, orders), wrappedNative).map(({ match }) => match)

/** Gain of the settlement contract in a token, without the network fees of single trades. */
const computeRetained = (market: BatchMarket, { fills, route }: Batch, of: Address): bigint => {
  const [first, last] = [route.hops[0], route.hops.at(-1)]
  let retained = (last?.tokenOut === of ? route.amountOut : 0n) - (first?.tokenIn === of ? route.amountIn : 0n)
  for (const { order, executedSell, executedBuy } of fills) {
    const swapGas = first?.tokenIn === order.sellToken ? computeSwapGas(route.hops.map(({ pool }) => pool)) : 0n
    if (order.sellToken === of) retained += executedSell - (computeOrderFee(market, order, swapGas, executedSell) ?? 0n)
    if (order.buyToken === of) retained -= executedBuy
  }
  return retained
}

describe('opposite orders', () => {
  test('that meet exactly trade their full amounts at the clearing price', () => {
    const [best] = match(buildMarket(new Map()), [
      order('1', {}),
      order('2', { ...backwards, sellAmount: 3n * million }),
    ])
    // fees: ⌈106,391 · 1,000 / 2 · 10^6⌉ = 54 of a, ⌈106,391 · 1,000 / 10^6⌉ = 107 of b
    expect(best?.fills.map(({ executedBuy }) => executedBuy)).toEqual([3n * million - 107n, million - 54n])
    expect(best?.route.hops).toEqual([])
  })

  test('meet beside dust with more generous limits', () => {
    const dust = (uid: string, terms: Partial<AuctionOrder>) => order(uid, { sellAmount: 50n, buyAmount: 1n, ...terms })
    const bought = (uid: string) => dust(uid, { kind: 'buy', sellAmount: 50n, buyAmount: 1n })
    const orders = [
      ...[dust('11', {}), dust('12', {}), bought('13'), bought('14')],
      ...[dust('21', backwards), dust('22', backwards), dust('23', backwards)],
    ]
    const opposite = order('2', { ...backwards, sellAmount: 3n * million, buyAmount: million / 2n })
    const [best] = match(buildMarket(new Map()), [...orders, order('1', { buyAmount: million }), opposite])
    expect(best?.fills.map(({ executedBuy }) => executedBuy)).toEqual([3n * million - 107n, million - 54n])
  })

  test('with incompatible limits are not matched', () => {
    const greedy = order('2', { ...backwards, sellAmount: 3n * million, buyAmount: million })
    expect(match(buildMarket(new Map()), [order('1', { buyAmount: 3n * million }), greedy])).toEqual([])
    expect(match(buildMarket(new Map()), [order('1', {}), order('3', {})])).toEqual([])
    const kindless = order('4', { ...backwards, kind: 'buy', sellAmount: 9n * million, buyAmount: million / 2n })
    expect(match(buildMarket(new Map()), [order('1', {}), kindless])).toEqual([])
  })

  test('whose score overflows are left out', () => {
    const market = buildMarket(new Map())
    const dear = { ...market, prices: new Map([...market.prices, [b, 2n ** 127n]]) }
    expect(match(dear, [order('1', {}), order('2', { ...backwards, sellAmount: 2n ** 200n })])).toEqual([])
  })

  test('of which one is partially fillable trade at the auction price when it satisfies both limits', () => {
    const larger = order('1', { sellAmount: 10n * million, partiallyFillable: true })
    const smaller = order('2', { ...backwards, kind: 'buy', sellAmount: 3n * million, buyAmount: million })
    const [best] = match(buildMarket(new Map()), [larger, smaller])
    expect(best?.fills.map(({ executedSell, executedBuy }) => [executedSell, executedBuy])).toEqual([
      [million + 54n, 2n * million],
      [2n * million + 107n, million],
    ])
  })

  test('trade at the geometric mean of their limits when the auction price satisfies only one', () => {
    // from 2.5 to 10 of b for one of a
    const larger = order('1', { sellAmount: 10n * million, buyAmount: 25n * million, partiallyFillable: true })
    const smaller = order('2', { ...backwards, kind: 'buy', sellAmount: 10n * million, buyAmount: million })
    const [best] = match(buildMarket(new Map()), [larger, smaller])
    const [, bought] = best?.fills ?? []
    expect(bought?.executedSell).toBeGreaterThan(4_999_000n)
    expect(bought?.executedSell).toBeLessThan(5_001_000n)
  })

  test('never take more than an owner holds', () => {
    const funds = new Map([[`${tokenOf('8')}${a.slice(2)}`, million / 2n]])
    const poor = order('1', { owner: tokenOf('8'), sellAmount: 10n * million, partiallyFillable: true })
    const other = order('2', { ...backwards, sellAmount: 20n * million, partiallyFillable: true })
    const [best] = match(buildMarket(new Map(), funds), [poor, other])
    expect(best?.fills[0]?.executedSell).toBe(million / 2n)
    expect(match(buildMarket(new Map(), funds), [{ ...poor, partiallyFillable: false }, other])).toEqual([])
  })

  test('leave no deficit in the settlement contract, no order below its limit, and no direction worse off', () => {
    const amount = fc.bigInt({ min: 1000n, max: 50n * million })
    const arbitraryOrder = fc.record({
      isForward: fc.boolean(),
      kind: fc.constantFrom('sell' as const, 'buy' as const),
      sellAmount: amount,
      buyAmount: amount,
      partiallyFillable: fc.boolean(),
    })
    let matched = 0
    fc.assert(
      fc.property(
        fc.array(arbitraryOrder, { minLength: 2, maxLength: 6 }),
        fc.constantFrom<Pools>(new Map(), withPool),
        (terms, pools) => {
          const market = buildMarket(pools)
          const orders = terms.map(({ isForward, ...rest }, i) =>
            order(String(i), isForward ? rest : { ...backwards, ...rest }),
          )
          const batches = buildBatches(market, orders)
          for (const { match: batch } of buildMatches(market, orders, batches, wrappedNative)) {
            matched += 1
            expect(computeRetained(market, batch, a)).toBeGreaterThanOrEqual(0n)
            expect(computeRetained(market, batch, b)).toBeGreaterThanOrEqual(0n)
            for (const { order, executedSell, executedBuy } of batch.fills) {
              expect(executedBuy * order.sellAmount).toBeGreaterThanOrEqual(executedSell * order.buyAmount)
              const [executed, signed] =
                order.kind === 'sell' ? [executedSell, order.sellAmount] : [executedBuy, order.buyAmount]
              expect(executed).toBeLessThanOrEqual(signed)
              if (!order.partiallyFillable) expect(executed).toBe(signed)
            }
            for (const sellToken of [a, b]) {
              const alone = batches.find((other) => other.sellToken === sellToken)
              const own = batch.fills.filter(({ order }) => order.sellToken === sellToken)
              expect(own.reduce((sum, { score }) => sum + score, 0n)).toBeGreaterThanOrEqual(alone?.score ?? 0n)
            }
          }
        },
      ),
      { numRuns: 500, seed: 7 },
    )
    expect(matched).toBeGreaterThan(50)
  })
})
