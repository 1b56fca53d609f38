import fc from 'fast-check'
import type { Address } from 'viem'
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
import { type Pool, toPairKey } from '../pools/pool.ts'
import { buildPaths } from '../routing/buildPaths.ts'
import { buildJointSolution } from '../solutions/buildJointSolution.ts'
import { buildSolution } from '../solutions/buildSolution.ts'
import { computeUniformPrices } from '../solutions/computeUniformPrices.ts'
import type { BatchMarket } from './batchMarket.ts'
import { buildBatches } from './buildBatches.ts'
import { compareLimitPrices } from './compareLimitPrices.ts'
import { toOwnerTokenKey } from './toOwnerTokenKey.ts'

const [a, b, c, d, wrappedNative] = [tokenA, tokenB, tokenC, tokenD, tokenOf('e')]
const million = 10n ** 6n
/** one fee of a direct trade is ⌈178,391 · 1,000 / 10^6⌉ = 179 atoms, at a price of 10^6 wei per atom */
const fee = 179n

const pool = (first: Address, second: Address) => poolOf(first, second, 1000n * million, 1000n * million)
const market = batchMarketOf(new Map([pool(a, b), pool(a, c), pool(c, d), pool(b, c)]))
const order = batchOrder

const out = (amountIn: bigint) => (amountIn * 997n * 1000n * million) / (1000n * million * 1000n + amountIn * 997n)

describe('one order', () => {
  test('a sell order sells its whole amount and receives the proceeds of the amount after the fee', () => {
    const [batch] = buildBatches(market, [order({})])
    expect(batch?.fills).toMatchObject([{ executedSell: million, executedBuy: out(million - fee) }])
    expect(batch?.route.amountIn).toBe(million - fee)
    // surplus over one atom, at 10^6 wei an atom
    expect(batch?.score).toBe((out(million - fee) - 1n) * million)
  })

  test('an order pays for the data of its settlement', () => {
    const [batch] = buildBatches({ ...market, dataGas: 50_000n }, [order({})])
    expect(batch?.route.amountIn).toBe(million - fee - 50n)
  })

  test('an order pays for each initialised tick that its swap crosses', () => {
    // the tick at −1 has no liquidity of its own, so that it changes nothing but the gas
    const concentrated = (ticks: [number, bigint][]): Pool => ({
      kind: 'concentrated',
      ...{ address: tokenOf('f'), token0: a, token1: b, fee: 3_000, tickSpacing: 1 },
      ...{ sqrtPrice: 2n ** 96n, tick: 0, liquidity: 1000n * million },
      ...{ ticks: new Map(ticks), lowestTick: -60_000, highestTick: 60_000 },
    })
    const [crossing, plain] = [concentrated([[-1, 0n]]), concentrated([])].map((traded) => {
      const pools = new Map([[toPairKey(a, b), [traded]]])
      return buildBatches({ ...market, pools }, [order({})])[0]?.route.amountIn ?? 0n
    })
    // ⌈(106,391 + 150,000) · 1,000 / 10^6⌉, and 45,000 gas for the tick
    expect(plain).toBe(million - 257n)
    expect(crossing).toBe(million - 302n)
  })

  test('a buy order receives exactly its buy amount and pays the fee on top', () => {
    const [batch] = buildBatches(market, [order({ kind: 'buy', sellAmount: 2n * million, buyAmount: million })])
    const amountIn = batch?.route.amountIn ?? 0n
    expect(batch?.fills).toMatchObject([{ executedSell: amountIn + fee, executedBuy: million }])
    expect(out(amountIn)).toBeGreaterThanOrEqual(million)
  })

  test('protocol fees reduce the proceeds, never below the limit; the score includes them', () => {
    const protocolFees: AuctionOrder['protocolFees'] = [{ kind: 'volume', factor: 0.01 }]
    const gross = out(million - fee)
    const [batch] = buildBatches(market, [order({ protocolFees })])
    const net = batch?.fills[0]?.executedBuy ?? 0n
    expect((net * 100n) / 99n).toBeGreaterThanOrEqual(gross - 2n)
    expect((net * 100n) / 99n).toBeLessThanOrEqual(gross)
    expect(batch?.score).toBe((gross - 1n) * million)
    expect(buildBatches(market, [order({ protocolFees, buyAmount: net })])).toHaveLength(1)
    expect(buildBatches(market, [order({ protocolFees, buyAmount: net + 1n })])).toEqual([])
  })

  test('an order with a signed fee pays no network fee in its price, and is left out when the fee covers less than half', () => {
    const feeAmount = (fee + 1n) / 2n
    const [sell] = buildBatches(market, [order({ feeAmount, buyAmount: out(million) })])
    expect(sell?.fills).toMatchObject([{ executedSell: million, executedBuy: out(million) }])
    expect(sell?.score).toBe(0n)
    expect(buildBatches(market, [order({ feeAmount: feeAmount - 1n })])).toEqual([])
    const buyOrder = { kind: 'buy', sellAmount: 2n * million, buyAmount: million } as const
    const [buy] = buildBatches(market, [order({ ...buyOrder, feeAmount })])
    expect(buy?.fills).toMatchObject([{ executedSell: buy?.route.amountIn, executedBuy: million }])
    expect(buildBatches(market, [order({ ...buyOrder, feeAmount: feeAmount - 1n })])).toEqual([])
  })

  test('a part of an order with a signed fee is limited by the owner funds for the part and its share of the fee', () => {
    const partial = order({ partiallyFillable: true, feeAmount: fee })
    const funded = (held: bigint) => ({ ...market, funds: new Map([[toOwnerTokenKey(partial.owner, a), held]]) })
    const held = (6n * (million + fee)) / 10n
    const [batch] = buildBatches(funded(held), [partial])
    const executedSell = batch?.fills[0]?.executedSell ?? 0n
    expect(executedSell).toBe((held * million) / (million + fee))
    expect(executedSell + (executedSell * fee) / million).toBeLessThanOrEqual(held)
    // a smaller part pays less than half of its gas
    expect(buildBatches(funded((4n * held) / 6n), [partial])).toEqual([])
  })

  test('an owner who holds the sell amount alone cannot pay a signed fee', () => {
    const whole = order({ feeAmount: fee })
    const funded = (held: bigint) => ({ ...market, funds: new Map([[toOwnerTokenKey(whole.owner, a), held]]) })
    expect(buildBatches(funded(million), [whole])).toEqual([])
    expect(buildBatches(funded(million + fee), [whole])).toHaveLength(1)
  })

  test('an executed part is not traded again', () => {
    const [sell] = buildBatches(market, [order({ partiallyFillable: true, executed: 400_000n })])
    expect(sell?.fills[0]?.executedSell).toBe(600_000n)
    const [buy] = buildBatches(market, [
      order({ kind: 'buy', sellAmount: 2n * million, buyAmount: million, partiallyFillable: true, executed: 400_000n }),
    ])
    expect(buy?.fills[0]?.executedBuy).toBe(600_000n)
  })

  test('a part is traded when it gains more than the settlement of its rest costs, otherwise the whole', () => {
    const sellAmount = 20n * million
    const traded = (buyAmount: bigint) => {
      const [batch] = buildBatches(market, [order({ sellAmount, buyAmount, partiallyFillable: true })])
      return batch?.fills[0]?.executedSell
    }
    // the price of the last atom, 0.9584, is a little below this limit: almost the whole gains a few atoms more
    expect(traded(19_180_000n)).toBe(sellAmount)
    // with this limit, half of the order gains a hundred thousand atoms more than the whole
    const part = traded(out(sellAmount - fee) - 100n) ?? 0n
    expect(part).toBeGreaterThan((4n * sellAmount) / 10n)
    expect(part).toBeLessThan((6n * sellAmount) / 10n)
  })

  test('a split over two pools fills the whole order when a part would gain only slightly more', () => {
    const [key, [one]] = pool(a, b)
    if (!one) throw new Error('no pool')
    const twoPools = { ...market, pools: new Map([[key, [one, { ...one, address: tokenOf('f') }]]]) }
    const sellAmount = 40n * million
    const [batch] = buildBatches(twoPools, [order({ sellAmount, buyAmount: 38_360_000n, partiallyFillable: true })])
    expect(batch?.route.hops.length).toBe(2)
    expect(batch?.fills[0]?.executedSell).toBe(sellAmount)
  })

  test('an order is left out when its limit cannot be met, the fee exceeds its amount, or a price is missing', () => {
    const best = out(million - fee)
    expect(buildBatches(market, [order({ buyAmount: best })])).toHaveLength(1)
    expect(buildBatches(market, [order({ buyAmount: best + 1n })])).toEqual([])
    expect(buildBatches(market, [order({ sellAmount: fee })])).toEqual([])
    expect(buildBatches(market, [order({ executed: million })])).toEqual([])
    expect(buildBatches({ ...market, prices: new Map([[a, 1n]]) }, [order({})])).toEqual([])
    expect(buildBatches(market, [order({ sellToken: b, buyToken: d })])).toEqual([])
  })

  test('an order whose amounts overflow in the contract is left out', () => {
    expect(buildBatches(market, [order({ kind: 'buy', sellAmount: 2n ** 256n - 1n, buyAmount: million })])).toEqual([])
  })
})

describe('several orders of a pair', () => {
  test('trade at one price, without a missing atom in the pool or for the owners', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('sell' as const, 'buy' as const),
        fc.array(fc.bigInt({ min: 1000n, max: 10n * million }), { minLength: 1, maxLength: 8 }),
        (kind, amounts) => {
          const limits = (amount: bigint) =>
            kind === 'sell' ? { sellAmount: amount, buyAmount: 1n } : { sellAmount: 10n * amount, buyAmount: amount }
          const [batch] = buildBatches(
            market,
            amounts.map((amount) => order({ kind, ...limits(amount) })),
          )
          expect(batch?.fills).toHaveLength(amounts.length)
          if (!batch) return
          const { route, fills } = batch
          const sold = fills.reduce((sum, fill) => sum + fill.executedSell, 0n)
          const bought = fills.reduce((sum, fill) => sum + fill.executedBuy, 0n)
          expect(sold).toBeGreaterThanOrEqual(route.amountIn)
          expect(bought).toBeLessThanOrEqual(route.amountOut)
          for (const { executedSell, executedBuy } of fills) {
            // the excess over the uniform price is the fee and less than one atom of the buy token
            const paid = executedSell * route.amountOut - executedBuy * route.amountIn
            expect(paid).toBeGreaterThanOrEqual((fee - 1n) * route.amountOut)
            expect(paid).toBeLessThan(fee * route.amountOut + route.amountIn + route.amountOut)
          }
        },
      ),
    )
  })

  test('an order that would push another one below its limit is left out', () => {
    const alone = out(million - fee)
    const batches = buildBatches(market, [order({ buyAmount: alone - 100n }), order({ sellAmount: 100n * million })])
    expect(batches).toHaveLength(1)
    expect(batches[0]?.fills.map(({ executedSell }) => executedSell)).toEqual([100n * million])
  })

  test('an order that must be settled alone is a batch of its own', () => {
    const [first, second, alone] = [order({}), order({}), order({ settleAlone: true })]
    const uids = buildBatches(market, [first, alone, second]).map(({ fills }) =>
      fills.map((fill) => fill.order.uid).sort(),
    )
    expect(uids.toSorted((x, y) => x.length - y.length)).toEqual([[alone.uid], [first.uid, second.uid].sort()])
  })

  test('the order with the more generous limit comes first at any size', () => {
    const strict = order({ sellAmount: 10n * million, buyAmount: 9n * million })
    const generous = order({ sellAmount: million, buyAmount: 800_000n })
    expect([strict, generous].sort(compareLimitPrices)).toEqual([generous, strict])
    expect([generous, strict].sort(compareLimitPrices)).toEqual([generous, strict])
  })

  test('opposite directions and kinds are batches of their own', () => {
    const batches = buildBatches(market, [
      order({}),
      order({ sellToken: b, buyToken: a }),
      order({ kind: 'buy', sellAmount: 2n * million, buyAmount: million }),
    ])
    expect(batches).toHaveLength(3)
  })
})

describe('several pairs in one settlement', () => {
  const batchOf = (sellToken: Address, buyToken: Address, sellAmount = million) => {
    const [batch] = buildBatches(market, [order({ sellToken, buyToken, sellAmount })])
    if (!batch) throw new Error('no batch')
    return batch
  }

  test('are settled together when they share no pool, each at its individual price', () => {
    const batches = [batchOf(a, b), batchOf(a, c, 5n * million), batchOf(c, d, 123_457n)]
    const joint = buildJointSolution(batches, wrappedNative)
    expect(joint?.batches).toEqual(batches)
    for (const { sellToken, buyToken, route } of batches) {
      const [sellPrice, buyPrice] = [joint?.uniformPrices.get(sellToken), joint?.uniformPrices.get(buyToken)]
      expect((route.amountOut * (buyPrice ?? 0n)) / (sellPrice ?? 1n)).toBe(route.amountIn)
    }
  })

  test('a batch that moves the pool of a better one is left to a solution of its own', () => {
    const joint = buildJointSolution([batchOf(a, b), batchOf(b, a), batchOf(c, d)], wrappedNative)
    expect(joint?.batches.map(({ sellToken }) => sellToken)).toEqual([a, c])
    expect(buildJointSolution([batchOf(a, b), batchOf(b, a)], wrappedNative)).toBeUndefined()
  })

  test('a batch of several pools is left out when a single one of them is shared', () => {
    const through = { ...market, buildPaths: (...pair: [Address, Address]) => buildPaths(...pair, 'multihop', [c]) }
    const [long] = buildBatches(through, [order({ buyToken: d, buyAmount: 1n })])
    const short = batchOf(c, d)
    if (!long) throw new Error('no batch')
    expect(long.route.hops.length).toBeGreaterThan(1)
    expect(buildJointSolution([long, short], wrappedNative)).toBeUndefined()
    expect(buildJointSolution([short, long], wrappedNative)).toBeUndefined()
  })

  test('one price per token cannot serve a circle of pairs', () => {
    expect(computeUniformPrices([batchOf(a, b), batchOf(b, c), batchOf(c, a)], wrappedNative)).toBeUndefined()
    expect(buildJointSolution([batchOf(a, b), batchOf(b, c), batchOf(c, a)], wrappedNative)?.batches).toHaveLength(2)
  })

  test('a joint solution has at most 40 orders', () => {
    const batchOfOrders = (sellToken: Address, buyToken: Address, count: number) => {
      const batch = batchOf(sellToken, buyToken)
      return { ...batch, fills: batch.fills.flatMap((fill) => Array.from({ length: count }, () => fill)) }
    }
    const [large, small, single] = [batchOfOrders(a, b, 30), batchOfOrders(a, c, 10), batchOfOrders(c, d, 1)]
    expect(buildJointSolution([large, small, single], wrappedNative)?.batches).toEqual([large, small])
  })

  test('a lone batch has its amounts as prices', () => {
    const batch = batchOf(a, b)
    expect(buildSolution([batch], wrappedNative)?.uniformPrices).toEqual(
      new Map([
        [a, batch.route.amountOut],
        [b, batch.route.amountIn],
      ]),
    )
  })
})

describe('an amount that is large for one pool', () => {
  const [key, [first]] = pool(a, b)
  const second = { ...first, address: tokenOf('9') } as Pool
  const deep: BatchMarket = { ...market, pools: new Map([[key, first ? [first, second] : []]]) }
  const sellAmount = 200n * million
  const single = out(sellAmount - fee)

  test('is split over two pools, and pays the gas of two swaps', () => {
    const [batch] = buildBatches(deep, [order({ sellAmount })])
    expect(new Set(batch?.route.hops.map(({ pool }) => pool.address))).toEqual(
      new Set([first?.address, second.address]),
    )
    const bought = batch?.fills[0]?.executedBuy ?? 0n
    expect(bought).toBe(batch?.route.amountOut)
    expect(Number(bought) / Number(2n * out(sellAmount / 2n))).toBeCloseTo(1, 4)
    expect(sellAmount - (batch?.route.amountIn ?? 0n)).toBe(281n)
  })

  test('is filled at a limit that no single pool reaches', () => {
    const buyAmount = (single * 105n) / 100n
    const [batch] = buildBatches(deep, [order({ sellAmount, buyAmount })])
    expect(batch?.fills).toHaveLength(1)
    expect(buildBatches(market, [order({ sellAmount, buyAmount })])).toEqual([])
  })

  test('is filled in part up to its limit, over both pools', () => {
    const partial = order({ sellAmount: 2_000n * million, buyAmount: 1_600n * million, partiallyFillable: true })
    const [batch] = buildBatches(deep, [partial])
    const [alone] = buildBatches(market, [partial])
    const [both = 0n, one = 0n] = [batch, alone].map((found) => found?.fills[0]?.executedSell)
    expect(Number(both) / Number(one)).toBeCloseTo(2, 1)
  })
})
