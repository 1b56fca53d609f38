import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import { maxOf } from '#shared/amounts/minMax.ts'
import { drawnTokens, drawPool, drawPools } from '#test/helpers/solvers/drawPools.ts'
import { computeOptimum } from '#tools/bench/market/computeOptimum.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import type { Pool, Pools } from '../pools/pool.ts'
import { buildLegs, type Leg } from '../routing/buildLegs.ts'
import { buildPaths } from '../routing/buildPaths.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import { computeSwap } from '../routing/computeSwap.ts'
import type { SwapRoute } from '../routing/swapRoute.ts'
import { computeSplit } from './computeSplit.ts'
import { listSplits, listStrandsAlong } from './listSplits.ts'

/** `SPLIT_SEED=<n>` for other markets, `SPLIT_COUNT` for more. */
const seed = Number(process.env.SPLIT_SEED ?? 11)
const count = Number(process.env.SPLIT_COUNT ?? 100)
const [a, b, c, d] = drawnTokens

/** Strands without a common pool: direct ones, and in every second market one over a third token. */
const drawStrands = (random: () => number, strandCount: number): Leg[][] => {
  const draw = (tokenIn: Address, tokenOut: Address, index: number): Leg => {
    const [token0, token1] = tokenIn < tokenOut ? ([tokenIn, tokenOut] as const) : ([tokenOut, tokenIn] as const)
    const pool = drawPool(random, token0, token1, `0x${index.toString(16).padStart(40, '0')}`)
    return { tokenIn, tokenOut, kind: pool.kind, pools: [pool] }
  }
  const direct = strandCount - (random() < 0.5 ? 1 : 0)
  return Array.from({ length: strandCount }, (_, i) =>
    i < direct ? [draw(a, b, 2 * i)] : [draw(a, c, 2 * i), draw(c, b, 2 * i + 1)],
  )
}

const drawAmount = (random: () => number): bigint => BigInt(Math.floor(10 ** (8.5 + 2 * random())))

/** The best output of one strand, and of one strand or a split. */
const findBest = (strands: ReturnType<typeof listStrandsAlong>, amount: bigint) => {
  const single = strands.map(({ legs }) => computeRoute(legs, 'sell', amount, 0n)?.amountOut ?? 0n).reduce(maxOf, 0n)
  const found = listSplits(strands, 'sell', amount)
    .map((set) => computeSplit(set, 'sell', amount, 0n)?.amountOut ?? 0n)
    .reduce(maxOf, single)
  return { single, found }
}

const listStrands = (pools: Pools) =>
  listStrandsAlong(buildPaths(a, b, 'multihop', [c, d]).flatMap((path) => buildLegs(pools, path)))

/** Trades a route swap by swap on pools that remember; undefined when a pool would not pay the stated amount. */
const replay = (route: SwapRoute): { paid: bigint; received: bigint } | undefined => {
  const changed = new Map<Address, Pool>()
  let [paid, received] = [0n, 0n]
  for (const { pool, tokenIn, tokenOut, amountIn, amountOut } of route.hops) {
    const swap = computeSwap(changed.get(pool.address) ?? pool, tokenIn, 'sell', amountIn)
    if (!swap || swap.amountOut < amountOut) return undefined
    changed.set(pool.address, swap.pool)
    if (tokenIn === a) paid += amountIn
    if (tokenOut === b) received += amountOut
  }
  return { paid, received }
}

describe(`${count} random markets`, () => {
  const random = createRandom(seed)
  const markets = Array.from({ length: count }, () => {
    const pools = drawPools(random)
    return { pools, amount: drawAmount(random) }
  })

  test('the best split is within a thousandth of the optimum at the median, and a hundredth at the tenth percentile', () => {
    const [shares, single]: [number[], number[]] = [[], []]
    for (const { pools, amount } of markets) {
      const strands = listStrands(pools)
      const best = computeOptimum(
        strands.map(({ legs }) => legs),
        amount,
      )
      const { found, single: one } = findBest(strands, amount)
      shares.push(Number(found) / Number(best))
      single.push(Number(one) / Number(best))
    }
    const at = (values: number[], q: number) => values.toSorted((x, y) => x - y)[Math.floor(q * values.length)] ?? 0
    console.log(
      `share of the best split at the least, p10 and median: ${[0, 0.1, 0.5].map((q) => at(shares, q).toFixed(4)).join(' ')}`,
      `without splits: ${[0, 0.1, 0.5].map((q) => at(single, q).toFixed(4)).join(' ')}`,
    )
    expect(at(shares, 0.5)).toBeGreaterThanOrEqual(0.999)
    expect(at(shares, 0.1)).toBeGreaterThanOrEqual(0.99)
  })

  test.each(['sell', 'buy'] as const)('the pools pay every amount of a split %s, to the atom', (kind) => {
    let splits = 0
    for (const { pools, amount } of markets)
      for (const set of listSplits(listStrands(pools), kind, amount)) {
        const route = computeSplit(set, kind, amount, 0n)
        if (!route) continue
        splits += 1
        expect(kind === 'sell' ? route.amountIn : route.amountOut).toBe(amount)
        expect(replay(route)).toEqual({ paid: route.amountIn, received: route.amountOut })
      }
    expect(splits).toBeGreaterThan(count / 2)
  })

  test('a tolerance is a part of the amount that pools may retain', () => {
    for (const { pools, amount } of markets.slice(0, 20))
      for (const set of listSplits(listStrands(pools), 'sell', amount)) {
        const [exact, tolerant] = [0n, 1_000n].map(
          (tolerance) => computeSplit(set, 'sell', amount, tolerance)?.amountOut,
        )
        if (!exact || !tolerant) continue
        expect(Number(tolerant) / Number(exact)).toBeGreaterThan(0.9985)
        expect(Number(tolerant) / Number(exact)).toBeLessThan(0.9991)
      }
  })
})

test.each([2, 3])('a split over %i strands without a common pool is within 1/2,000 of the optimum', (strandCount) => {
  const random = createRandom(seed)
  const [shares, splits]: [number[], boolean[]] = [[], []]
  for (let i = 0; i < 60; i += 1) {
    const strands = drawStrands(random, strandCount)
    const amount = drawAmount(random)
    const optimum = computeOptimum(strands, amount)
    const { single, found } = findBest(listStrandsAlong(strands), amount)
    splits.push(optimum > single)
    shares.push(Number(found) / Number(optimum))
  }
  expect(splits.filter(Boolean).length).toBeGreaterThan(20)
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.9995)
})
