import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { maxOf } from '#shared/amounts/minMax.ts'
import { drawnTokens, drawPool } from '#test/helpers/solvers/drawPools.ts'
import { createRandom } from '#tools/stack/createRandom.ts'
import type { Pool } from '../pools/pool.ts'
import type { Leg } from '../routing/buildLegs.ts'
import { computeRoute } from '../routing/computeRoute.ts'
import { computeSwap } from '../routing/computeSwap.ts'
import { computeSplit } from './computeSplit.ts'
import { listSplits, listStrandsAlong } from './listSplits.ts'

/**
 * Splits against every division of the amount over two or three strands in fine steps. `SPLIT_SEED=<n>` for other
 * markets.
 */

const seed = Number(process.env.SPLIT_SEED ?? 5)
const [a, b, c] = drawnTokens

const drawAmount = (random: () => number): bigint => BigInt(Math.floor(10 ** (8.5 + 2 * random())))

const toLeg = (tokenIn: Address, tokenOut: Address, pool: Pool): Leg => ({
  ...{ tokenIn, tokenOut, kind: pool.kind },
  pools: [pool],
})

/** Strands without a common pool: direct ones, and in every second market one over a third token. */
const drawStrands = (random: () => number, count: number): Leg[][] => {
  const detours = random() < 0.5 ? 1 : 0
  const draw = (token0: Address, token1: Address, index: number) =>
    drawPool(random, token0, token1, `0x${index.toString(16).padStart(40, '0')}`)
  return Array.from({ length: count }, (_, i) =>
    i < count - detours
      ? [toLeg(a, b, draw(a, b, 2 * i))]
      : [toLeg(a, c, draw(a, c, 2 * i)), toLeg(c, b, draw(b, c, 2 * i + 1))],
  )
}

/** Output of a part along one strand; these strands do not affect each other. */
const sell = (strand: readonly Leg[], part: bigint): bigint => {
  let carried = part
  for (const {
    tokenIn,
    pools: [pool],
  } of strand)
    carried = (pool && carried > 0n && computeSwap(pool, tokenIn, 'sell', carried)?.amountOut) || 0n
  return carried
}

/** The best of all divisions into multiples of amount / steps; the remainder goes to the last strand. */
const findBest = (strands: readonly Leg[][], amount: bigint, steps: number): bigint => {
  const unit = amount / BigInt(steps)
  // output of each number of steps, and of what is left after them
  const tables = strands.map((strand) => Array.from({ length: steps + 1 }, (_, n) => sell(strand, unit * BigInt(n))))
  const rests = Array.from({ length: steps + 1 }, (_, n) => sell(strands.at(-1) ?? [], amount - unit * BigInt(n)))
  const search = (index: number, used: number): bigint => {
    if (index === strands.length - 1) return rests[used] ?? 0n
    let best = 0n
    for (let n = 0; n + used <= steps; n += 1)
      best = maxOf(best, (tables[index]?.[n] ?? 0n) + search(index + 1, used + n))
    return best
  }
  return search(0, 0)
}

/** What the solver finds: the best single strand or split. */
const findSolution = (strands: readonly Leg[][], amount: bigint): bigint => {
  const single = strands.map((legs) => computeRoute(legs, 'sell', amount, 0n)?.amountOut ?? 0n).reduce(maxOf, 0n)
  return listSplits(listStrandsAlong(strands), 'sell', amount)
    .map((set) => computeSplit(set, 'sell', amount, 0n)?.amountOut ?? 0n)
    .reduce(maxOf, single)
}

test.each([
  [2, 400, 60],
  [3, 80, 60],
])('a split over %i strands is as good as the best of all divisions into %i parts', (strandCount, steps, markets) => {
  const random = createRandom(seed)
  const shares: number[] = []
  let splits = 0
  for (let i = 0; i < markets; i += 1) {
    const strands = drawStrands(random, strandCount)
    const amount = drawAmount(random)
    const [best, found] = [findBest(strands, amount, steps), findSolution(strands, amount)]
    const single = strands.map((strand) => sell(strand, amount)).reduce(maxOf, 0n)
    if (best > single) splits += 1
    shares.push(Number(found) / Number(best))
  }
  console.log(`least share of the optimum: ${Math.min(...shares)}, ${splits} of ${markets} markets are split`)
  expect(splits).toBeGreaterThan(markets / 3)
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.9995)
})
